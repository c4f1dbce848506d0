// What the audit log costs: an event in a transaction of its own beside a plain INSERT of the same row (the same
// connection, the same durability), with and without a sealer at work; then how fast events are sealed, and how long
// it takes and how much memory to verify 1,000,000 of them. `npm run bench audit [ROUNDS]`.
import { verifyChain } from '@svc/db/audit';
import { withBench } from '../database/open.ts';
import { bar } from '../database/timing.ts';
import { measureRecording } from './recording.ts';
import { fillLog, keys, sealAll } from './sealing.ts';

const ROUNDS = Number(process.argv[2] ?? 600);
const EVENTS = 1_000_000;

await withBench(
  async (bench) => {
    console.log(`An event in a transaction of its own, ms; ${ROUNDS} interleaved rounds:\n`);
    await measureRecording(bench, ROUNDS);

    await fillLog(bench.bare, EVENTS);
    const { sealed, seconds } = await sealAll(bench.db);
    console.log(`\nSealed ${sealed} events in ${seconds.toFixed(1)} s: ${(sealed / seconds).toFixed(0)} a second`);

    let peak = 0;
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
    const started = performance.now();
    const { intact, sealed: verified, problem } = await verifyChain(bench.db.prisma, { keys, adoptUnsigned: false });
    clearInterval(watch);
    const took = ((performance.now() - started) / 1000).toFixed(1);
    const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
    console.log(
      `Verified ${verified} events in ${took} s; memory ${megabytes(before)} before, ${megabytes(peak)} at most`,
    );
    bar(
      `the chain of all of them is intact${problem === null ? '' : `: ${problem.detail}`}`,
      intact && verified >= EVENTS,
    );
  },
  { poolSize: 4 },
);
