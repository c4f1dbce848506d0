// The scheduler of one worker process: the role, the bookings and the beginnings, as a worker has them.
import { randomBytes } from 'node:crypto';
import { idSource, pooled } from '@svc/core/ids';
import { openDatabase, silent } from '@svc/db/connection';
import { schedulerLoop } from '@svc/worker/jobs';
import { LeaderElector, startLoop } from '@svc/worker/work';

const [, , url, leaseSeconds] = process.argv;
const log = { info: () => {}, error: (...said: unknown[]) => console.error(...said) };
const clock = () => new Date();
const newId = idSource(
  () => Date.now(),
  pooled((bytes) => new Uint8Array(randomBytes(bytes))),
);
const db = await openDatabase({ url: url!, log: silent, poolSize: 4 });
const role = new LeaderElector({ db, owner: newId(), leaseMs: Number(leaseSeconds) * 1000, clock });
await role.poll();
const loops = [
  startLoop(
    {
      name: 'role',
      everyMs: 500,
      pauseMs: () => role.pauseMs,
      runOnce: async () => {
        if (await role.poll()) loops[1]!.wake();
        return {};
      },
    },
    log,
  ),
  startLoop(schedulerLoop({ db, clock, newId }, role), log),
];
const unlisten = await db.listen('svc_starts', () => loops[1]!.wake());
process.on('message', (question) => {
  if (question === 'cpu') process.send!(process.cpuUsage());
  else process.send!(role.current !== null);
});
process.once('disconnect', async () => {
  for (const loop of loops) await loop.stop();
  await unlisten();
  await db.close();
});
process.send!('ready');
