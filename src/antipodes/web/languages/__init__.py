"""The languages of the pages: who reads which, and the texts of the library in them."""
