import { type Action, decide, scopeOf } from '@svc/core/access';
import { authorizeRequest } from '@svc/db/access';
import type { BenchDatabase } from '../database/open.ts';
import { bar, figures, interleave, table } from '../database/timing.ts';
import { CALLERS, type CallerName, fill, tokenHashOf } from './fill.ts';

interface Question {
  caller: CallerName;
  action: Action;
  decision: 'allow' | 'deny';
  how: string;
  table: number;
}

// Table i lies in namespace ⌊i / 100⌋ of environment ⌊i / 10,000⌋; every second namespace is a nested one.
function namesOf(number: number) {
  const namespace = Math.floor(number / 100);
  const path = namespace % 2 === 0 ? `n${namespace}` : `n${namespace - 1}.m${namespace}`;
  return { environment: `env${Math.floor(number / 10_000)}`, namespace: path, table: `t${number}` };
}

const now = new Date('2026-06-01T00:00:00Z');

/** What the callers are and aren't allowed to do, determined by requests, because the grants of groups are random. */
async function questions({ db }: BenchDatabase): Promise<Question[]> {
  const found: Question[] = [];
  for (const caller of Object.keys(CALLERS) as CallerName[]) {
    const byKey = new Map<string, Question>();
    for (let i = 0; i < 400; i++) {
      const number = i === 0 ? 10_150 : (i * 7919) % 100_000;
      // A caller who can read every table may still not write to any of them.
      const action = i < 200 ? 'READ_TABLE' : 'WRITE_TABLE';
      const { allowed, via } = await send(db, caller, number, action);
      const how = allowed ? (via[0]!.kind === 'group' ? 'by group' : 'directly') : '';
      const decision = allowed ? 'allow' : 'deny';
      if (!byKey.has(decision + how)) byKey.set(decision + how, { caller, action, decision, how, table: number });
    }
    found.push(...[...byKey.values()].sort((a, b) => (a.decision + a.how < b.decision + b.how ? -1 : 1)));
  }
  return found;
}

async function send(db: BenchDatabase['db'], caller: CallerName, number: number, action: Action) {
  const names = namesOf(number);
  const request = await authorizeRequest(db.prisma, { tokenHash: tokenHashOf(caller), now, names });
  if (request === null) throw new Error(`the token of the principal ${caller} does not work`);
  return decide(request.grants, action, scopeOf(names));
}

/** Statements that `calls` requests sent on the bench's only connection. */
async function statementsOf({ db, bare }: BenchDatabase, calls: number): Promise<number> {
  const committed = async () => {
    await db.prisma.$queryRaw`SELECT 1 FROM pg_stat_force_next_flush()`;
    await db.prisma.$queryRaw`SELECT 1`;
    const { rows } = await bare.query<{ n: string }>(
      'SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]!.n);
  };
  await committed();
  const before = await committed();
  const idle = (await committed()) - before;
  for (let i = 0; i < calls; i++) await send(db, 'in 3 groups', i, 'READ_TABLE');
  return (await committed()) - before - 2 * idle;
}

export async function measureRequests(bench: BenchDatabase, rounds: number): Promise<void> {
  const started = performance.now();
  await fill(bench.bare);
  const { rows: ids } = await bench.bare.query<{ id: string }>(
    'SELECT id FROM grants TABLESAMPLE SYSTEM (1) LIMIT 5000',
  );
  const idOf = (round: number) => ids[round % ids.length]!.id;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `\nAn authorized request among 1,000,000 grants (filled in ${seconds} s), ms; ${rounds} interleaved rounds:\n`,
  );

  const questionList = await questions(bench);
  const name = ({ caller, decision, how }: Question) => `${caller}: ${[decision, how].filter(Boolean).join(' ')}`;
  const contestants: Record<string, (round: number) => unknown> = {
    'one grant by primary key': (round) =>
      bench.db.prisma.$queryRaw`SELECT * FROM grants WHERE id = ${idOf(round)}::uuid`,
    'the same, bare driver': (round) => bench.bare.query('SELECT * FROM grants WHERE id = $1', [idOf(round)]),
  };
  for (const question of questionList)
    contestants[name(question)] = () => send(bench.db, question.caller, question.table, question.action);
  const times = await interleave(rounds, contestants);

  const result = new Map(Object.entries(times).map(([key, list]) => [key, figures(list)]));
  const floor = result.get('one grant by primary key')!;
  table(
    ['', 'p50', 'p99', '÷ look-up'],
    [...result].map(([key, { p50, p99 }]) => [key, p50, p99, `${(p50 / floor.p50).toFixed(1)} ×`]),
  );
  bars(questionList.map((question) => ({ ...question, ...result.get(name(question))! })));
  const sent = await statementsOf(bench, 200);
  bar(`one round trip a request: ${(sent / 200).toFixed(2)} statements`, sent <= 210);
}

function bars(measured: (Question & { p50: number; p99: number })[]): void {
  const worst = Math.max(...measured.map(({ p99 }) => p99));
  bar(`p99 of every request is at most 5 ms: ${worst.toFixed(2)}`, worst <= 5);
  for (const caller of Object.keys(CALLERS)) {
    const p50 = (decision: string) =>
      Math.max(...measured.filter((m) => m.caller === caller && m.decision === decision).map((m) => m.p50));
    const ratio = p50('deny') / p50('allow');
    if (Number.isFinite(ratio)) bar(`deny as cheap as allow, ${caller}: ${ratio.toFixed(2)} ×`, ratio <= 1.1);
  }
}
