(define (problem putting_away_toys_medium_4)
  (:domain household)
  (:objects
    carton_1 - container
    table_1 sofa_1 - object
    plaything_1 plaything_2 plaything_3 plaything_4 plaything_5 plaything_6 - movable
  )
  (:init
    (ontop plaything_6 table_1)
    (open carton_1)
  )
  (:goal (and
    (inside plaything_4 carton_1)
    (inside plaything_2 carton_1)
  )))
