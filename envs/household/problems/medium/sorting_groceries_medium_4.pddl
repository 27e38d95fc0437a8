(define (problem sorting_groceries_medium_4)
  (:domain household)
  (:objects
    electric_refrigerator_1 - container
    table_1 counter_1 chair_1 - object
    apple_1 apple_2 orange_1 banana_1 bottle_1 cup_1 - movable
  )
  (:init
    (ontop apple_1 counter_1)
    (ontop apple_2 counter_1)
    (ontop banana_1 counter_1)
    (ontop bottle_1 counter_1)
    (ontop cup_1 table_1)
    (ontop orange_1 counter_1)
  )
  (:goal (and
    (inside apple_1 electric_refrigerator_1)
    (ontop orange_1 table_1)
  )))
