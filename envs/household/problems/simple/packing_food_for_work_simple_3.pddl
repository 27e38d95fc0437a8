(define (problem packing_food_for_work_simple_3)
  (:domain household)
  (:objects
    carton_1 cabinet_1 electric_refrigerator_1 - container
    snack_food_1 apple_1 bottle_1 - movable
    table_1 - object
  )
  (:init
    (inside snack_food_1 cabinet_1)
    (nextto snack_food_1 cabinet_1)
    (ontop apple_1 table_1)
    (ontop bottle_1 table_1)
    (open carton_1)
  )
  (:goal (and
    (inside snack_food_1 carton_1)
  )))
