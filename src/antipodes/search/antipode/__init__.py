"""The search of Antipode: alpha-beta on words, with an estimate fitted to its own games."""
