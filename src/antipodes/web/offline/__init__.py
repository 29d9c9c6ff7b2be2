"""Play without a network: what browsers keep, and the games that come from there."""
