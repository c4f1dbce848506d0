// What anybody would write: Express, the same query, no questions asked.
import { openDatabase } from '@svc/db/connection';
import { findEnvironment, getEnvironment } from '@svc/db/environments';
import express from 'express';

const log = { info() {}, warn() {}, error() {}, debug() {} };
const db = await openDatabase({ url: process.argv[2]!, log: log as never, poolSize: 10 });
const app = express();
app.get('/api/v1/environments/:name', async (req, res) => {
  const found = await findEnvironment(db.prisma, req.params.name);
  if (found === null) res.status(404).end();
  else res.json(await getEnvironment(db.prisma, found.id));
});
const server = app.listen(Number(process.argv[3]), '127.0.0.1', () => process.send?.('ready'));
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void db.close();
  process.disconnect();
});
