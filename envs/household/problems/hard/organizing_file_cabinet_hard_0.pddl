(define (problem organizing_file_cabinet_hard_0)
  (:domain household)
  (:objects
    table_1 chair_1 - object
    cabinet_1 - container
    marker_1 document_1 document_2 document_3 folder_1 laptop_1 - movable
  )
  (:init
    (ontop document_1 table_1)
    (ontop document_2 table_1)
    (ontop document_3 table_1)
    (ontop folder_1 table_1)
    (ontop laptop_1 table_1)
    (ontop marker_1 chair_1)
  )
  (:goal (and
    (ontop marker_1 table_1)
    (inside document_1 cabinet_1)
    (inside document_3 cabinet_1)
  )))
