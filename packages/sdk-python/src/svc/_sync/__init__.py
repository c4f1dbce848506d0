"""The blocking client, written out of ``_aio`` by ``npm run generate``: change it there."""
