"""A program that plays on a site through its interface for programs, and nothing else of it."""
