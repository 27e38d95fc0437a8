(define (problem sorting_books_medium_2)
  (:domain household)
  (:objects
    table_1 shelf_1 armchair_1 - object
    hardback_1 book_1 book_2 cup_1 hardback_2 book_3 - movable
  )
  (:init
    (ontop book_2 table_1)
    (ontop book_3 shelf_1)
    (ontop cup_1 table_1)
    (ontop hardback_1 table_1)
    (ontop hardback_2 shelf_1)
  )
  (:goal (and
    (ontop hardback_1 shelf_1)
    (ontop book_1 shelf_1)
  )))
