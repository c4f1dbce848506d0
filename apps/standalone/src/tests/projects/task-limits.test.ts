import { toolsHere } from '@svc/worker/testing';
import { rowsOf } from '../../testing/orders.ts';
import { deployPython } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const onLinux = (await toolsHere()).uv !== null && process.platform === 'linux' ? describe : describe.skip;

const ASSETS = `import os
import signal

import svc


@svc.asset(table="lim.memory")
def memory(ctx):
    blocks = [bytearray(10_000_000) for _ in range(100)]
    signal.pause()
    return [{"n": len(blocks)}]


@svc.asset(table="lim.processes")
def processes(ctx):
    for _ in range(200):
        if os.fork() == 0:
            signal.pause()
    signal.pause()


@svc.asset(table="lim.open_files")
def open_files(ctx):
    files = [open("/dev/null") for _ in range(100)]
    return [{"n": len(files)}]


@svc.asset(table="lim.disk")
def disk(ctx):
    for _ in range(100_000):
        yield {"text": "x" * 1000}


@svc.asset(table="lim.within")
def within(ctx):
    return [{"n": 1}]
`;

const SETTINGS = {
  SVC_RUN__TASK_MEMORY: '400MB',
  SVC_RUN__TASK_PROCESSES: '60',
  SVC_RUN__TASK_OPEN_FILES: '64',
  SVC_RUN__TASK_DISK: '40MB',
};

onLinux('a task that exceeds a limit', () => {
  let s: TestService;
  beforeAll(async () => {
    s = await startTestService(SETTINGS);
    await s.client.environments.create('dev');
    await deployPython(s, ASSETS, 'defaults:\n  retries: 2\n');
  }, 60_000);
  afterAll(() => s.stop());

  test('fails with its limit, once, and without a table; the other tasks finish', async () => {
    const { id } = await s.client.runs.create('dev', { repository: 'app', select: ['lim.*'] });
    const { status, tasks } = await s.client.runs.wait('dev', id);
    expect(status).toBe('failed');
    const errors = Object.fromEntries(tasks.map(({ asset, error }) => [asset, error]));
    const over = (code: string, limit: string, setting: string) => ({
      code,
      detail: expect.stringContaining(`(limit: ${limit})`),
      remedy: expect.stringContaining(setting),
    });
    expect(errors).toEqual({
      'lim.memory': over('task-memory-exceeded', '400 MB', 'SVC_RUN__TASK_MEMORY'),
      'lim.processes': over('task-processes-exceeded', '60 processes and threads', 'SVC_RUN__TASK_PROCESSES'),
      'lim.open_files': over('task-open-files-exceeded', '64 open files', 'SVC_RUN__TASK_OPEN_FILES'),
      'lim.disk': over('task-disk-exceeded', '40 MB', 'SVC_RUN__TASK_DISK'),
      'lim.within': null,
    });
    expect(await rowsOf(s.client, 'dev', 'SELECT n FROM lim.within')).toEqual([[1]]);
    const listed = (await s.client.tables.list('dev', 'lim')).map(({ name }) => name);
    expect(listed).toEqual(['within']);
    const lines: string[] = [];
    for await (const { line } of s.client.runs.logs('dev', id)) lines.push(line);
    expect(lines.filter((line) => line.includes('(limit: '))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith('retrying'))).toEqual([]);
    const text = await (await fetch(`${s.url}/metrics`)).text();
    for (const limit of ['memory', 'processes', 'open_files', 'disk'])
      expect(text).toContain(`svc_task_limits_exceeded_total{limit="${limit}"} 1`);
    expect(text).toMatch(/svc_task_limit_enforced\{limit="open_files",by="rlimit"\} 1/);
  }, 120_000);

  test('is limited as its worker reports', async () => {
    const workers = await s.client.service.workers();
    expect(workers).toMatchObject([
      {
        task_limits: {
          memory: { limit: 400e6, enforced_by: expect.stringMatching(/cgroup|watchdog/) },
          processes: { limit: 60, enforced_by: expect.stringMatching(/cgroup|rlimit|watchdog/) },
          open_files: { limit: 64, enforced_by: 'rlimit' },
          disk: { limit: 40e6, enforced_by: 'watchdog' },
        },
      },
    ]);
  });
});
