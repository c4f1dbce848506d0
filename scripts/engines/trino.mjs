// Trino against the service.
import { startService } from './service.mjs';
import { sqlScenario } from './sql-scenario.mjs';
import { findTrino, startTrino } from './trino-server.mjs';

/** The rows of a statement, each value as a text, by Trino's own protocol. */
export async function runStatement(base, statement) {
  const headers = { 'X-Trino-User': 'test', 'X-Trino-Catalog': 'svc', 'X-Trino-Time-Zone': 'UTC' };
  let response = await fetch(`${base}/statement`, { method: 'POST', headers, body: statement });
  const rows = [];
  for (;;) {
    const page = await response.json();
    if (page.error) throw new Error(`${statement}\n${page.error.message}`);
    rows.push(...(page.data ?? []));
    if (page.nextUri === undefined) break;
    response = await fetch(page.nextUri, { headers });
  }
  return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}

const DIALECT = {
  name: 'Trino',
  namespace: 'trino',
  // Trino always requests the removal of the files too.
  canUndrop: false,
  text: 'VARCHAR',
  plain: '',
  partitioned: (transforms) => `WITH (partitioning = ARRAY[${transforms.map((text) => `'${text}'`).join(', ')}])`,
  transform: {
    bucket: (n, c) => `bucket(${c}, ${n})`,
    truncate: (n, c) => `truncate(${c}, ${n})`,
    by: (unit, c) => `${unit}(${c})`,
  },
  timestamp: 'TIMESTAMP(6)',
  instant: 'TIMESTAMP(6) WITH TIME ZONE',
  instantOf: "TIMESTAMP '2026-01-01 00:00:00.123456 UTC'",
  isNan: 'is_nan',
  minusInfinity: '-infinity()',
  size: 'cardinality',
  quote: '"',
  version: (id) => `FOR VERSION AS OF ${id}`,
  widen: (table, column) => `ALTER TABLE ${table} ALTER COLUMN ${column} SET DATA TYPE BIGINT`,
};

/** How many of its checks failed. */
export async function trino() {
  const installed = await findTrino();
  if (installed === null) return 0;
  const service = await startService();
  const engine = await startTrino(installed, { url: service.url, catalog: 'svc' });
  try {
    return await sqlScenario(DIALECT, { run: (statement) => runStatement(engine.base, statement) }, service);
  } finally {
    await engine.stop();
    await service.stop();
  }
}
