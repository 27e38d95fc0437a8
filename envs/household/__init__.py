"""Household: a home of several rooms with a robot, which acts and sees through its camera."""
