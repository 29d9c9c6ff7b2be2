"""Interfaces of other research programs, each of them imported only when it is used.

``vector``: many games at once, stepped by one call of a kernel. ``gymnasium``: the same as a
vectorised environment of gymnasium. ``pettingzoo``: environments for
multi-agent reinforcement learning. ``openspiel``: Python games of OpenSpiel. ``observation``: the
tensors that all of them share.
"""
