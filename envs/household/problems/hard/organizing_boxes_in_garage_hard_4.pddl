(define (problem organizing_boxes_in_garage_hard_4)
  (:domain household)
  (:objects
    shelf_1 carton_1 carton_2 - container
    workbench_1 - object
    ball_1 plate_1 ball_2 plate_2 - movable
  )
  (:init
    (inside plate_1 shelf_1)
    (nextto plate_1 shelf_1)
    (ontop plate_2 workbench_1)
    (open carton_2)
  )
  (:goal (and
    (inside ball_1 carton_1)
    (inside plate_1 carton_1)
  )))
