"""Household: a home of several rooms, seen through the eyes of a robot that acts in it."""
