"""Training of the neural network by self-play.

Self-play and samples need the extra ``net``, the learner needs PyTorch (extra ``train``).
"""
