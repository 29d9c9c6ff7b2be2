"""Sphinx configuration. The docs build offline: no inventory of another project is fetched."""

import logging
import sys
from pathlib import Path

import antipodes

HERE = Path(__file__).resolve().parent
# Our directives, and the modules that the pages show as examples.
sys.path[:0] = [str(HERE / "_ext"), str(HERE / "examples")]

project = "Antipodes"
author = "The Antipodes maintainers"
copyright = "2026, The Antipodes maintainers"
version = release = antipodes.__version__

extensions = [
    "antipodes_docs",
    "course_docs",
    "knowledge_docs",
    "network_docs",
    "openings_docs",
    "proof_docs",
    "cost_docs",
    "strength_docs",
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = ["_build"]
# Annotations whose names cannot be evaluated stay short names, of which some classes share one.
suppress_warnings = ["ref.python"]
highlight_language = "python3"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Notebooks run when their code has changed; `make clean` has all of them run again.
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE / "_build" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
logging.getLogger("traitlets").setLevel(logging.WARNING)  # it reports each notebook

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
# Attributes of dataclasses are listed once, in short.
napoleon_use_ivar = True

# Prompts are not copied along with what follows them.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"Antipodes {release}"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
