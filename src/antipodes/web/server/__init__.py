"""Processes of the site: web processes, worker, supervisor, scheduler, backups."""
