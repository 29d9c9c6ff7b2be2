"""People: accounts, guests, and the computer's levels, who all can sit at a match."""
