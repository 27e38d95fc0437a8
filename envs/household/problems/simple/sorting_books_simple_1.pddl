(define (problem sorting_books_simple_1)
  (:domain household)
  (:objects
    table_1 shelf_1 - object
    hardback_1 - movable
  )
  (:init
    (ontop hardback_1 table_1)
  )
  (:goal (and
    (ontop hardback_1 shelf_1)
  )))
