"""What programs can ask, one module for each kind of thing."""
