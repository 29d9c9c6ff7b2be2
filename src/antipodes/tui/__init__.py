"""The full-screen board in the terminal; :func:`antipodes.tui.app.run` opens it."""
