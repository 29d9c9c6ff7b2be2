"""Pages about the site itself: installation, offline, help without sight, components."""
