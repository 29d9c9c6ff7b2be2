"""Django's project: settings, URLs, ASGI application."""
