(define (problem cleaning_out_drawers_hard_2)
  (:domain household)
  (:objects
    sink_1 counter_1 - object
    cabinet_1 cabinet_2 cabinet_3 - container
    bowl_1 bowl_2 piece_of_cloth_1 spoon_1 cup_1 - movable
  )
  (:init
    (inside bowl_1 cabinet_1)
    (inside bowl_2 cabinet_2)
    (inside cup_1 cabinet_3)
    (inside piece_of_cloth_1 cabinet_3)
    (inside spoon_1 cabinet_3)
    (nextto bowl_1 cabinet_1)
    (nextto bowl_2 cabinet_2)
    (nextto cup_1 cabinet_3)
    (nextto piece_of_cloth_1 cabinet_3)
    (nextto spoon_1 cabinet_3)
  )
  (:goal (and
    (ontop bowl_1 sink_1)
    (ontop bowl_2 sink_1)
    (ontop piece_of_cloth_1 sink_1)
  )))
