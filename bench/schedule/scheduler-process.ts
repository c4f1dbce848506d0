// The scheduler of one worker process: leader election, enqueueing and starts, as in a worker.
import { randomBytes } from 'node:crypto';
import { idSource, pooled } from '@svc/core/ids';
import { openDatabase, silent } from '@svc/db/connection';
import { schedulerLoop } from '@svc/worker/jobs';
import { LeaderElector, startLoop } from '@svc/worker/work';

const [, , url, leaseSeconds] = process.argv;
const log = { info: () => {}, error: (...parts: unknown[]) => console.error(...parts) };
const clock = () => new Date();
const newId = idSource(
  () => Date.now(),
  pooled((bytes) => new Uint8Array(randomBytes(bytes))),
);
const db = await openDatabase({ url: url!, log: silent, poolSize: 4 });
const elector = new LeaderElector({ db, owner: newId(), leaseMs: Number(leaseSeconds) * 1000, clock });
await elector.poll();
const loops = [
  startLoop(
    {
      name: 'role',
      everyMs: 500,
      pauseMs: () => elector.pauseMs,
      runOnce: async () => {
        if (await elector.poll()) loops[1]!.wake();
        return {};
      },
    },
    log,
  ),
  startLoop(schedulerLoop({ db, clock, newId }, elector), log),
];
const unlisten = await db.listen('svc_starts', () => loops[1]!.wake());
process.on('message', (question) => {
  if (question === 'cpu') process.send!(process.cpuUsage());
  else process.send!(elector.current !== null);
});
process.once('disconnect', async () => {
  for (const loop of loops) await loop.stop();
  await unlisten();
  await db.close();
});
process.send!('ready');
