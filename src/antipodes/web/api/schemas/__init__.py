"""Schemas of the API's requests (``...In``, ``...Patch``) and responses (``...Out``)."""
