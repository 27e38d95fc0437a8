(define (problem cleaning_out_drawers_simple_4)
  (:domain household)
  (:objects
    cabinet_1 - container
    sink_1 - object
    bowl_1 - movable
  )
  (:init
    (inside bowl_1 cabinet_1)
    (nextto bowl_1 cabinet_1)
  )
  (:goal (and
    (ontop bowl_1 sink_1)
  )))
