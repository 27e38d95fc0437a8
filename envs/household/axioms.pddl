; What holds in every state of a home, for who has to repair answers: in ours by the definitions of its predicates, and
; in the original's in all that was recorded (but for one grasp in thirty, whose thing still counts as inside something).
(and
  ; One thing at a time is in the hand, and it is in and on nothing.
  (forall (?m ?x - movable) (imply (and (holding ?m) (holding ?x)) (= ?m ?x)))
  (forall (?m - movable ?o - object) (not (and (holding ?m) (ontop ?m ?o))))
  (forall (?m - movable ?c - container) (not (and (holding ?m) (inside ?m ?c))))
  ; A thing is in one container and on one thing at the most, and neither on nor beside itself.
  (forall (?m - movable ?a ?b - container) (imply (and (inside ?m ?a) (inside ?m ?b)) (= ?a ?b)))
  (forall (?m - movable ?a ?b - object) (imply (and (ontop ?m ?a) (ontop ?m ?b)) (= ?a ?b)))
  (forall (?m - movable) (not (ontop ?m ?m)))
  (forall (?m - movable) (not (nextto ?m ?m)))
  ; What is in something is next to it, and being next to each other is mutual.
  (forall (?m - movable ?c - container) (imply (inside ?m ?c) (nextto ?m ?c)))
  (forall (?m ?x - movable) (imply (nextto ?m ?x) (nextto ?x ?m))))
