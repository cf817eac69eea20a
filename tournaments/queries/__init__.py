"""Every read of competition worth a name, by what it is about. Each says what it costs."""
