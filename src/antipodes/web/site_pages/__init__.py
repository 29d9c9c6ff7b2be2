"""Pages about the site itself: installation, help without sight, components."""
