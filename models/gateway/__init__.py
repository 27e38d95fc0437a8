"""One door for many processes: requests are answered from one cache, within one set of limits and caps."""
