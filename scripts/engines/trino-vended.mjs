// Trino on tables in a bucket whose key it doesn't have, with temporary credentials.
import { checker, serviceSide } from './checks.mjs';
import { runStatement } from './trino.mjs';
import { credentialsFor, findTrino, startTrino } from './trino-server.mjs';

/** How many of its checks failed. @param startService starts a service in a bucket with a token service; null without one */
export async function trinoVended(startService) {
  const installed = await findTrino();
  if (installed === null) return 0;
  const service = await startService();
  if (service === null) return 0;
  const files = credentialsFor(service.endpoint);
  const engine = await startTrino(installed, { url: service.url, catalog: 'svc', files });
  const run = (statement) => runStatement(engine.base, statement);
  const { sql } = serviceSide(service.url);
  const { equal, end } = checker('Trino with temporary credentials');
  try {
    await run('CREATE SCHEMA svc.trino');
    await run('CREATE TABLE svc.trino.orders (id BIGINT, name VARCHAR)');
    await run("INSERT INTO svc.trino.orders VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    await run("UPDATE svc.trino.orders SET name = 'd' WHERE id = 2");
    await run('DELETE FROM svc.trino.orders WHERE id = 1');
    const rows = [
      ['2', 'd'],
      ['3', 'c'],
    ];
    await equal('rows in Trino', () => run('SELECT * FROM svc.trino.orders ORDER BY id'), rows);
    await equal('rows in svc', () => sql('SELECT * FROM trino.orders ORDER BY id'), rows);
    await run('CREATE TABLE svc.trino.copied AS SELECT * FROM svc.trino.orders');
    await equal('a table created from a query', () => sql('SELECT count(*) FROM trino.copied'), [['2']]);
  } catch (error) {
    await equal('statements', () => Promise.reject(error), null);
  } finally {
    await engine.stop();
    await service.stop();
  }
  return end();
}
