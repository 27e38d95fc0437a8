"""The engine `ray`: players on many machines, one gateway for all questions, and a driver that writes the run."""
