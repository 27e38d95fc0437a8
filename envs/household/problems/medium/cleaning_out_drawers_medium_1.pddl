(define (problem cleaning_out_drawers_medium_1)
  (:domain household)
  (:objects
    cabinet_1 cabinet_2 - container
    sink_1 - object
    bowl_1 spoon_1 - movable
  )
  (:init
    (inside bowl_1 cabinet_1)
    (inside spoon_1 cabinet_2)
    (nextto bowl_1 cabinet_1)
    (nextto spoon_1 cabinet_2)
  )
  (:goal (and
    (ontop bowl_1 sink_1)
    (ontop spoon_1 sink_1)
  )))
