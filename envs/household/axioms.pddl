; What holds in every state of a home, by the definitions of its predicates, for who has to repair answers.
(and
  ; One thing at a time is in the hand, and it is in, on and beside nothing.
  (forall (?m ?x - movable) (imply (and (holding ?m) (holding ?x)) (= ?m ?x)))
  (forall (?m - movable ?o - object) (not (and (holding ?m) (ontop ?m ?o))))
  (forall (?m - movable ?o - object) (not (and (holding ?m) (nextto ?m ?o))))
  (forall (?m - movable ?c - container) (not (and (holding ?m) (inside ?m ?c))))
  ; A thing is in one container and on one thing at the most, and neither on nor beside itself.
  (forall (?m - movable ?a ?b - container) (imply (and (inside ?m ?a) (inside ?m ?b)) (= ?a ?b)))
  (forall (?m - movable ?a ?b - object) (imply (and (ontop ?m ?a) (ontop ?m ?b)) (= ?a ?b)))
  (forall (?m - movable) (not (ontop ?m ?m)))
  (forall (?m - movable) (not (nextto ?m ?m)))
  ; What is in something is next to it and not on it; what is on something is not next to it.
  (forall (?m - movable ?c - container) (imply (inside ?m ?c) (nextto ?m ?c)))
  (forall (?m - movable ?o - object) (not (and (ontop ?m ?o) (nextto ?m ?o))))
  ; Being next to each other is mutual, and nothing is on what is on it.
  (forall (?m ?x - movable) (imply (nextto ?m ?x) (nextto ?x ?m)))
  (forall (?m ?x - movable) (not (and (ontop ?m ?x) (ontop ?x ?m)))))
