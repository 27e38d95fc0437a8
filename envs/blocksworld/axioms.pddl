; What holds in every arrangement of blocks, for who has to repair answers where arrangements are too many to list.
(and
  ; A block is in one column, and not on itself.
  (forall (?b - block) (exists (?c - column) (incolumn ?b ?c)))
  (forall (?b - block ?c ?d - column) (imply (and (incolumn ?b ?c) (incolumn ?b ?d)) (= ?c ?d)))
  (forall (?b - block) (not (on ?b ?b)))
  (forall (?a ?b - block) (not (and (on ?a ?b) (on ?b ?a))))
  ; It is on one block at the most, and one block at the most is on it: if none is, it is clear.
  (forall (?a ?b ?c - block) (imply (and (on ?a ?b) (on ?a ?c)) (= ?b ?c)))
  (forall (?a ?b ?c - block) (imply (and (on ?b ?a) (on ?c ?a)) (= ?b ?c)))
  (forall (?b - block) (or (clear ?b) (exists (?a - block) (on ?a ?b))))
  (forall (?a ?b - block) (not (and (on ?a ?b) (clear ?b))))
  ; What is on a block is in its column, and a column has one top.
  (forall (?a ?b - block ?c - column) (imply (and (on ?a ?b) (incolumn ?a ?c)) (incolumn ?b ?c)))
  (forall (?a ?b - block ?c - column)
    (imply (and (clear ?a) (clear ?b) (incolumn ?a ?c) (incolumn ?b ?c)) (= ?a ?b))))
