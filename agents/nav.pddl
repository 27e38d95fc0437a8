(define (domain known_views)
  (:requirements :strips :typing)
  (:types view option)
  (:predicates (at ?v - view) (leads ?v - view ?w - view) (shows ?v - view ?o - option) (turn_of ?o - option)
    (before ?o - option ?p - option) (did ?o - option))
  (:action go
    :parameters (?v - view ?w - view)
    :precondition (and (at ?v) (leads ?v ?w))
    :effect (and (at ?w) (not (at ?v))))
  (:action use
    :parameters (?o - option ?v - view)
    :precondition (and (at ?v) (shows ?v ?o) (turn_of ?o))
    :effect (did ?o))
  (:action next
    :parameters (?o - option ?p - option)
    :precondition (and (did ?o) (before ?o ?p))
    :effect (turn_of ?p)))
