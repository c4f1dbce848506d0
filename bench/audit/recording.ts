import { randomBytes } from 'node:crypto';
import { idSource } from '@svc/core/ids';
import { type NewEvent, recordEvent, sealEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { BenchDatabase } from '../database/open.ts';
import { bar, figures, interleave, pairedRatio, table } from '../database/timing.ts';
import { sealing } from './sealing.ts';

const newId = idSource(Date.now, (count) => randomBytes(count));
/** As the worker's loop does. */
const SEAL_EVERY_MS = 500;

const ENVIRONMENT = newId();
const nextEvent = (): NewEvent => ({
  id: newId(),
  time: new Date(),
  type: 'QUERY_COMPLETED',
  principal: { id: ENVIRONMENT, name: 'ana' },
  object: { kind: 'ENVIRONMENT', environment: 'prod', namespace: null, table: null },
  environmentId: ENVIRONMENT,
  requestId: newId(),
  detail: { query_id: newId(), sql_text: 'SELECT region, sum(amount) FROM sales.orders GROUP BY region', rows: 12 },
});

// The peer's table has the same columns, and the indexes that a log one can page through needs.
const PLAIN = [
  'CREATE TABLE plain_events (LIKE audit_events_first INCLUDING ALL)',
  'ALTER TABLE plain_events DROP COLUMN sequence, DROP COLUMN hash',
];

export async function measureRecording(bench: BenchDatabase, rounds: number): Promise<void> {
  for (const statement of PLAIN) await bench.bare.query(statement);
  const contestants = {
    'plain INSERT': () => plainInsert(bench, nextEvent()),
    recordEvent: () => inTransaction(bench.db, (tx) => recordEvent(tx, nextEvent())),
  };
  for (const withSealer of [false, true]) {
    const stop = withSealer ? startSealer(bench) : () => Promise.resolve();
    const times = await interleave(rounds, contestants);
    await stop();
    const [plain, ours] = [figures(times['plain INSERT']), figures(times.recordEvent)];
    const title = withSealer ? 'with a sealer at work' : 'without a sealer';
    table(
      [title, 'p50', 'p99', 'mean'],
      [
        ['plain INSERT', plain.p50, plain.p99, plain.mean],
        ['recordEvent', ours.p50, ours.p99, ours.mean],
      ],
    );
    const rate = pairedRatio(times['plain INSERT'], times.recordEvent);
    bar(`${title}: ${(rate * 100).toFixed(0)} % of plain`, rate >= 0.9);
  }
}

/** The same row in a transaction of the same kind, so that what is compared is what the audit log adds. */
function plainInsert({ db }: BenchDatabase, event: NewEvent): Promise<number> {
  return inTransaction(
    db,
    (tx) => tx.$executeRaw`
      INSERT INTO plain_events (id, time, type, principal_id, principal, environment_id, object, request_id, detail)
      VALUES (${event.id}::uuid, ${event.time}, ${event.type}, ${event.principal?.id}::uuid, ${event.principal?.name},
        ${event.environmentId}::uuid, ${JSON.stringify(event.object)}::jsonb, ${event.requestId},
        ${JSON.stringify(event.detail)}::jsonb)`,
  );
}

function startSealer({ db }: BenchDatabase): () => Promise<void> {
  let [stopped, wake] = [false, () => {}];
  const work = (async () => {
    while (!stopped) {
      await inTransaction(db, (tx) => sealEvents(tx, sealing()));
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, SEAL_EVERY_MS);
      });
    }
  })();
  return () => {
    stopped = true;
    wake();
    return work;
  };
}
