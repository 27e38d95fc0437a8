(define (problem sorting_groceries_hard_5)
  (:domain household)
  (:objects
    electric_refrigerator_1 - container
    table_1 counter_1 - object
    apple_1 apple_2 orange_1 orange_2 - movable
  )
  (:init
    (inside apple_2 electric_refrigerator_1)
    (nextto apple_2 electric_refrigerator_1)
    (ontop apple_1 counter_1)
    (ontop orange_1 counter_1)
    (ontop orange_2 table_1)
  )
  (:goal (and
    (inside apple_1 electric_refrigerator_1)
    (ontop apple_2 table_1)
    (nextto orange_1 orange_2)
  )))
