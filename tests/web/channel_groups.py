"""Groups of the channel layer, in memory or in Redis."""

from typing import Any

from channels.layers import get_channel_layer


def channel_groups() -> dict[str, set[str]]:
    """Return the channels of each group; Redis has a prefix before the names of groups."""
    layer: Any = get_channel_layer()
    return {name.rpartition("__group__")[2]: set(found) for name, found in layer.groups.items()}
