// Express with the same query, but without authorization, validation, audit or metrics. `plain` fetches only the record.
import { createHash } from 'node:crypto';
import { authorizeRequest } from '@svc/db/access';
import { openDatabase } from '@svc/db/connection';
import { environmentRecord } from '@svc/db/environments';
import express from 'express';

const [url, port, token] = process.argv.slice(2) as [string, string, string];
const log = { info() {}, warn() {}, error() {}, debug() {} };
const db = await openDatabase({ url, log: log as never, poolSize: 10 });
const tokenHash = createHash('sha256').update(token).digest();
const app = express();
app.get('/api/v1/environments/:name', async (req, res) => {
  const names = { environment: req.params.name, namespace: null, table: null };
  const found = await authorizeRequest(db.prisma, { tokenHash, now: new Date(), names });
  if (found?.object.environment == null) res.status(404).end();
  else res.json(environmentRecord(found.object.environment));
});
app.get('/plain/:name', async (req, res) => {
  const rows = await db.prisma.$queryRaw`
    SELECT id, name, protected, description, retention_days, created_at, deleted_at, purge_after
    FROM environments WHERE name = ${req.params.name} AND purged_at IS NULL`;
  res.json((rows as object[])[0]);
});
const server = app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void db.close();
  process.disconnect();
});
