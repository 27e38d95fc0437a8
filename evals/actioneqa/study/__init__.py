"""Studies of the questions of ActionEQA: leaks, gates, solvers, views, agreement of people."""
