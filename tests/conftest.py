"""Settings shared by every test."""

from hypothesis import HealthCheck, settings

# Quick and the same on every run: for `make test`.
settings.register_profile(
    "quick",
    derandomize=True,
    max_examples=60,
    deadline=None,  # the first example may compile a kernel
)
# Long and different on every run; what it finds is kept in .hypothesis: for `make fuzz`.
settings.register_profile(
    "fuzz",
    max_examples=5_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")
