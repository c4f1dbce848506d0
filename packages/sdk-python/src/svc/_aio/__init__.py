"""The asynchronous client. ``_sync`` is written out of this folder by ``npm run generate``: change it here."""
