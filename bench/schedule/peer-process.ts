// A worker process of a peer: records when each of its jobs started.
import { run } from 'graphile-worker';
import PgBoss from 'pg-boss';

const [, , peer, url] = process.argv;
let startedAt: number[] = [];
const note = () => void startedAt.push(Date.now());

let stop: () => Promise<void>;
if (peer === 'graphile-worker') {
  const quiet = { logger: undefined as never };
  const { Logger } = await import('graphile-worker');
  const logger = new Logger(() => () => {});
  const runner = await run({
    ...quiet,
    logger,
    connectionString: url!,
    concurrency: 20,
    pollInterval: 100,
    noHandleSignals: true,
    taskList: { start: async () => note() },
  });
  stop = () => runner.stop();
} else {
  const boss = new PgBoss({ connectionString: url!, supervise: false, schedule: false, max: 4 });
  await boss.start();
  const options = { batchSize: 500, pollingIntervalSeconds: 0.5 };
  await boss.work('start', options, async (jobs) => {
    for (const _ of jobs) note();
  });
  stop = () => boss.stop({ graceful: false });
}
process.on('message', () => {
  process.send!(startedAt);
  startedAt = [];
});
process.once('disconnect', () => void stop().finally(() => process.exit(0)));
process.send!('ready');
