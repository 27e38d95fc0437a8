(define (problem sorting_groceries_hard_0)
  (:domain household)
  (:objects
    electric_refrigerator_1 - container
    table_1 counter_1 chair_1 - object
    apple_1 orange_1 apple_2 orange_2 banana_1 bottle_1 cup_1 - movable
  )
  (:init
    (inside apple_2 electric_refrigerator_1)
    (nextto apple_2 electric_refrigerator_1)
    (ontop apple_1 counter_1)
    (ontop banana_1 counter_1)
    (ontop bottle_1 counter_1)
    (ontop cup_1 table_1)
    (ontop orange_1 counter_1)
    (ontop orange_2 table_1)
  )
  (:goal (and
    (inside apple_1 electric_refrigerator_1)
    (ontop apple_2 table_1)
    (nextto orange_1 orange_2)
  )))
