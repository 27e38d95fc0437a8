(define (problem cleaning_out_drawers_medium_1)
  (:domain household)
  (:objects
    cabinet_1 cabinet_2 - container
    sink_1 counter_1 - object
    bowl_1 bowl_2 piece_of_cloth_1 spoon_1 spoon_2 - movable
  )
  (:init
    (inside bowl_1 cabinet_1)
    (inside bowl_2 cabinet_1)
    (inside piece_of_cloth_1 cabinet_1)
    (inside spoon_1 cabinet_2)
    (inside spoon_2 cabinet_2)
    (nextto bowl_1 cabinet_1)
    (nextto bowl_2 cabinet_1)
    (nextto piece_of_cloth_1 cabinet_1)
    (nextto spoon_1 cabinet_2)
    (nextto spoon_2 cabinet_2)
  )
  (:goal (and
    (ontop bowl_1 sink_1)
    (ontop spoon_1 sink_1)
  )))
