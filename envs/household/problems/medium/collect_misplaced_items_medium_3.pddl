(define (problem collect_misplaced_items_medium_3)
  (:domain household)
  (:objects
    table_1 table_2 sofa_1 - object
    cabinet_1 - container
    gym_shoe_1 sock_1 sock_2 laptop_1 cup_1 book_1 - movable
  )
  (:init
    (ontop book_1 sofa_1)
    (ontop cup_1 table_2)
    (ontop laptop_1 table_2)
    (ontop sock_1 table_1)
    (ontop sock_2 sofa_1)
  )
  (:goal (and
    (ontop gym_shoe_1 table_2)
    (ontop sock_2 table_2)
  )))
