"""Work in several processes: on this machine, or on any cluster of Dask."""
