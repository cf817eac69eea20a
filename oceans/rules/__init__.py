"""The rules of every game: pure Python, standard library only, no clock, no I/O, no global randomness."""
