(define (problem putting_away_toys_medium_1)
  (:domain household)
  (:objects
    carton_1 - container
    table_1 bed_1 - object
    plaything_1 plaything_2 plaything_3 plaything_4 plaything_5 plaything_6 - movable
  )
  (:init
    (open carton_1)
  )
  (:goal (and
    (inside plaything_4 carton_1)
    (inside plaything_2 carton_1)
  )))
