"""The blocking client, written out of ``_aio`` by ``npm run surfaces``: change it there."""
