"""How our home compares with the original's: what actions come to in it, what is seen and what is true."""
