(define (problem sorting_books_simple_3)
  (:domain household)
  (:objects
    table_1 shelf_1 - object
    hardback_1 book_1 book_2 hardback_2 - movable
  )
  (:init
    (ontop book_1 table_1)
    (ontop book_2 table_1)
    (ontop hardback_1 table_1)
    (ontop hardback_2 shelf_1)
  )
  (:goal (and
    (ontop hardback_1 shelf_1)
  )))
