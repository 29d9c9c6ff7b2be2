"""Work of the engines: the computer's moves, analyses and reviews, shared out fairly."""
