"""Relations between players: following and blocking."""
