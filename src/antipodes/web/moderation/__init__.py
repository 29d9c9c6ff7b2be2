"""Reports, sanctions and the audit log."""
