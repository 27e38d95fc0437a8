(define (problem organizing_boxes_in_garage_hard_1)
  (:domain household)
  (:objects
    shelf_1 carton_1 carton_2 - container
    workbench_1 - object
    ball_1 ball_2 plate_1 plate_2 saucepan_1 toolbox_1 - movable
  )
  (:init
    (inside plate_1 shelf_1)
    (inside plate_2 shelf_1)
    (nextto plate_1 shelf_1)
    (nextto plate_2 shelf_1)
    (ontop saucepan_1 workbench_1)
    (ontop toolbox_1 workbench_1)
  )
  (:goal (and
    (inside ball_1 carton_1)
    (inside plate_1 carton_1)
  )))
