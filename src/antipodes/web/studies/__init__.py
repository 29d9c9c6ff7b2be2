"""Studies: trees of moves with comments and marks, in chapters, by several writers at once."""
