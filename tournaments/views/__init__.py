"""Pages of competition: they translate requests to verbs and rows to words."""
