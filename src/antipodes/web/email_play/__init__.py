"""Where mails come in, are carried out, and are answered."""
