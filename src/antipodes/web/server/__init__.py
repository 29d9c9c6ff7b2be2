"""Processes of the site: web process, worker with its supervisor, scheduler, backups."""
