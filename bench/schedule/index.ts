// How late scheduled runs start: 10,000 schedules due at one moment, two scheduler processes on a real database, and
// the same number of delayed jobs in graphile-worker and pg-boss; then what 100,000 idle schedules cost, what a killed
// leader costs, and how soon a manual start reaches its first task. What runs do then is not counted: no
// worker takes them. `npm run bench schedule [ROUNDS]`.
import { withBench } from '../database/open.ts';
import { bar, figures, table } from '../database/timing.ts';
import { addProjects } from './fill.ts';
import { manualStarts } from './manual.ts';
import { idleCost, round, roundWithKill, startSchedulers } from './ours.ts';
import { openPeers } from './peers.ts';
import { end } from './processes.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const DUE = 10_000;
const IDLE = 100_000;
const LEASE_SECONDS = 5;
const IDLE_SECONDS = 10;
const STARTS = 300;

await withBench(
  async ({ url, bare }) => {
    await addProjects(bare, 0, DUE);
    const late: Record<string, number[]> = { svc: [], 'graphile-worker': [], 'pg-boss': [] };
    let once = true;
    // What the round before left to clean and to write is nobody's of the next.
    const atRest = async () => {
      await bare.query('VACUUM ANALYZE');
      await bare.query('CHECKPOINT');
    };
    const schedulers = await startSchedulers(url, LEASE_SECONDS);
    const peers = await openPeers(url);
    try {
      for (let i = 0; i < ROUNDS; i++) {
        await atRest();
        const ours = await round(url, bare, DUE);
        late['svc']!.push(...ours.late);
        once &&= ours.once;
        for (const peer of peers) {
          await atRest();
          late[peer.name]!.push(...(await peer.round(DUE)));
        }
      }
    } finally {
      for (const peer of peers) await peer.close();
      await end(schedulers);
    }
    console.log(`${DUE} due at one moment, two processes, ${ROUNDS} rounds in turn: started minus due, ms\n`);
    const row = ([name, times]: [string, number[]]) => {
      const { p50, p99 } = figures(times);
      return [name, p50, p99, Math.max(...times)];
    };
    table(['', 'p50', 'p99', 'last'], Object.entries(late).map(row));
    await atRest();
    const killed = await roundWithKill(url, bare, DUE, LEASE_SECONDS);
    table(['', 'p50', 'p99', 'last'], [row(['svc, holder killed', killed.late])]);
    const few = await idleCost(url, bare, IDLE_SECONDS);
    await addProjects(bare, DUE, IDLE);
    const many = await idleCost(url, bare, IDLE_SECONDS);
    console.log(`\nIdle, two schedulers and their database sessions: ${few.toFixed(1)} ms of processor a second with`);
    console.log(`${DUE} schedules, ${many.toFixed(1)} ms with ${DUE + IDLE}\n`);
    bar('started minus due: p99 ≤ 1 s', figures(late['svc']!).p99 <= 1000);
    bar(
      `holder killed in the middle: last ≤ lease (${LEASE_SECONDS} s) + 1 s`,
      Math.max(...killed.late) <= LEASE_SECONDS * 1000 + 1000,
    );
    bar('none lost, none doubled', once && killed.once);
    bar(`${IDLE} idle schedules cost ≤ 1 % of a processor more`, many - few <= 10);
  },
  { poolSize: 2 },
);

const starts = figures(await manualStarts(STARTS));
console.log(`\nA manual start reaches its first task, ms (${STARTS} in turn): p50 ${starts.p50}, p99 ${starts.p99}`);
bar('manual start to first task: p99 ≤ 100 ms', starts.p99 <= 100);
