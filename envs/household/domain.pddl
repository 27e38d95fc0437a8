; A home as a robot meets it: it drives to things, takes, carries and puts them, opens and closes.
; ontop, nextto and inside are said of movables only: nothing else ever moves.
(define (domain household)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality)
  (:types container movable - object)
  (:predicates
    (reachable ?o - object)
    (holding ?m - movable)
    (open ?c - container)
    (ontop ?m - movable ?o - object)
    (nextto ?m - movable ?o - object)
    (inside ?m - movable ?c - container))

  (:action grasp
    :parameters (?m - movable)
    :precondition (and
      (reachable ?m)
      (forall (?x - movable) (not (holding ?x))))
    :effect (and
      (holding ?m)
      (forall (?y - object)
        (and (not (ontop ?m ?y)) (not (nextto ?m ?y))))
      (forall (?c - container)
        (when (inside ?m ?c) (not (inside ?m ?c))))))

  (:action place-on
    :parameters (?m - movable ?o - object)
    :precondition (and (holding ?m) (reachable ?o))
    :effect (and (ontop ?m ?o) (not (holding ?m))))

  (:action place-next-to
    :parameters (?m - movable ?o - object)
    :precondition (and (holding ?m) (reachable ?o))
    :effect (and (nextto ?m ?o) (not (holding ?m))))

  (:action place-inside
    :parameters (?m - movable ?c - container)
    :precondition (and (holding ?m) (reachable ?c) (open ?c))
    :effect (and (inside ?m ?c) (not (holding ?m))))

  (:action open-container
    :parameters (?c - container)
    :precondition (and
      (reachable ?c)
      (not (open ?c))
      (forall (?x - movable) (not (holding ?x))))
    :effect (and
      (open ?c)
      (forall (?m - movable)
        (when (inside ?m ?c) (reachable ?m)))))

  (:action close-container
    :parameters (?c - container)
    :precondition (and (reachable ?c) (open ?c))
    :effect (and
      (not (open ?c))
      (forall (?m - movable)
        (when (inside ?m ?c) (not (reachable ?m))))))

  ; What lies in a closed container cannot be driven to; an open one brings its content within reach.
  (:action navigate-to
    :parameters (?o - object)
    :precondition (and
      (not (reachable ?o))
      (forall (?m - movable ?c - container)
        (or (not (= ?m ?o)) (not (inside ?m ?c)) (open ?c))))
    :effect (and
      (reachable ?o)
      (forall (?x - object)
        (when (not (= ?x ?o)) (not (reachable ?x))))
      (forall (?c - container ?x - movable)
        (when (and (= ?c ?o) (open ?c) (inside ?x ?c)) (reachable ?x))))))
