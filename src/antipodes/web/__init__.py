"""The site: a Django project where people play with each other and with the computer."""
