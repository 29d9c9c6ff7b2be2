"""Long-lived connections: WebSockets and event streams, with their limits and credentials."""
