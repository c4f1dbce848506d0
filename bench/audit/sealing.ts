import { randomBytes, randomUUID } from 'node:crypto';
import { headKeys, sealEvents } from '@svc/db/audit';
import { type Database, inTransaction } from '@svc/db/connection';
import type pg from 'pg';

/** As the worker's loop does. */
export const SEAL_LIMIT = 2000;

export const keys = headKeys(randomBytes(32).toString('base64'));
export const sealing = () => ({
  limit: SEAL_LIMIT,
  keys,
  adoptUnsigned: false,
  now: new Date(),
  newId: () => randomUUID(),
});

/** Events of nobody sealed yet, one a millisecond. */
export async function fillLog(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO audit_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
     SELECT ('00000001-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
       timestamptz '2026-01-01' + make_interval(secs => i / 1000.0), 'QUERY_COMPLETED', gen_random_uuid(), 'p' || i % 1000,
       gen_random_uuid(), '{"kind": "ENVIRONMENT", "environment": "prod"}', 'request ' || i,
       jsonb_build_object('rows', i, 'sql_text', 'SELECT region, sum(amount) FROM sales.orders WHERE day = ' || i)
     FROM generate_series(1, $1::int) i`,
    [count],
  );
  await client.query('VACUUM ANALYZE audit_events');
}

/** Seals until nothing is left. */
export async function sealAll(db: Database): Promise<{ sealed: number; seconds: number }> {
  const started = performance.now();
  let sealed = 0;
  for (;;) {
    const { sealed: count } = await inTransaction(db, (tx) => sealEvents(tx, sealing()));
    sealed += count;
    if (count < SEAL_LIMIT) return { sealed, seconds: (performance.now() - started) / 1000 };
  }
}
