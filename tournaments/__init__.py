"""Competition: ratings, ladders and events. Knows the play app; nothing imports it."""
