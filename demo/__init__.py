"""Watch it learn: a small neural network that trains on the GPU in front of your eyes."""

__version__ = "0.1.0"
