(define (problem packing_food_for_work_medium_3)
  (:domain household)
  (:objects
    carton_1 electric_refrigerator_1 cabinet_1 - container
    table_1 - object
    sandwich_1 snack_food_1 bottle_1 apple_1 cup_1 - movable
  )
  (:init
    (inside bottle_1 electric_refrigerator_1)
    (inside sandwich_1 electric_refrigerator_1)
    (inside snack_food_1 cabinet_1)
    (nextto bottle_1 electric_refrigerator_1)
    (nextto sandwich_1 electric_refrigerator_1)
    (nextto snack_food_1 cabinet_1)
    (ontop apple_1 table_1)
    (ontop cup_1 table_1)
    (open carton_1)
  )
  (:goal (and
    (inside sandwich_1 carton_1)
    (inside snack_food_1 carton_1)
  )))
