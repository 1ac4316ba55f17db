"""Float64 twins of the kernels, under the kernels' names: the same mathematics, written a second
time on purpose, so that a mistake must be made twice to go unseen. Nothing here touches a GPU or
reads a scene's table."""
