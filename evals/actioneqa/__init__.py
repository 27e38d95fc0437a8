"""ActionEQA: what did the arm just do? Questions about actions of a robot arm at three levels, in two directions."""
