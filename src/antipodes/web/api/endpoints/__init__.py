"""Operations of the API, one module for each tag."""
