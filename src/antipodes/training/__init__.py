"""Training of the neural network by self-play.

The learner needs PyTorch (extra ``train``).
"""
