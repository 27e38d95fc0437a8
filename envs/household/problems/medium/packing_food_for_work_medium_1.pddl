(define (problem packing_food_for_work_medium_1)
  (:domain household)
  (:objects
    carton_1 electric_refrigerator_1 cabinet_1 - container
    sandwich_1 snack_food_1 apple_1 - movable
    counter_1 - object
  )
  (:init
    (inside sandwich_1 electric_refrigerator_1)
    (inside snack_food_1 cabinet_1)
    (nextto sandwich_1 electric_refrigerator_1)
    (nextto snack_food_1 cabinet_1)
    (ontop apple_1 counter_1)
    (open carton_1)
  )
  (:goal (and
    (inside sandwich_1 carton_1)
    (inside snack_food_1 carton_1)
  )))
