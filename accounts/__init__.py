"""People and how to reach them. Imports neither oceans nor tournaments."""
