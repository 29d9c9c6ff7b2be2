"""Foundation of all apps: settings, clock, locks, pub/sub, rate limits, health, metrics, logs."""
