import type { TaskWork } from '../run-work.ts';
import { sparkRows } from './spark-rows.ts';

test('without a Spark Connect server, the task fails and names the setting', async () => {
  const asset = { name: 'a.b', engine: 'spark', source: { language: 'python', function: 'f' } };
  const work = { asset, deps: { settings: {} }, signal: new AbortController().signal } as unknown as TaskWork;
  expect(await sparkRows(work, { mode: 'replace', isFirstRun: true, watermark: null })).toMatchObject({
    code: 'engine-unavailable',
    detail: expect.stringContaining('a.b works with Spark'),
    remedy: expect.stringContaining('SVC_RUN__SPARK_CONNECT'),
  });
});
