"""What a host looks at and holds on to: health, metrics, logs, limits."""
