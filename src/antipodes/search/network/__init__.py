"""The neural network as an evaluation: policy and value of positions of the placement games."""
