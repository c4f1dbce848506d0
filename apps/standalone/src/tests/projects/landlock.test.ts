import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { landlockHere, toolsHere } from '@svc/worker/testing';
import { deployPython } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const home = mkdtempSync(join(tmpdir(), 'svc-landlock-home-'));
// The account of tasks passes through it.
chmodSync(home, 0o711);
const landlock = (await toolsHere()).uv !== null ? await landlockHere([home]) : null;
const works = landlock === null ? describe.skip : describe;
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ASSETS = `import os

import svc


@svc.asset(table="py.source")
def source(ctx):
    return [{"n": 1}, {"n": 2}]


@svc.asset(table="py.total", depends_on=["py.source"])
def total(ctx):
    return [{"total": len(list(ctx.sql("SELECT n FROM py.source"))), "key": os.access("${home}/secrets.key", os.R_OK)}]


@svc.asset(table="py.spy")
def spy(ctx):
    return [{"key": open("${home}/secrets.key").read()}]
`;

const path = process.env['PATH'] ?? '';
works('a service whose Python tasks run under rules of Landlock', () => {
  let s: TestService;
  beforeAll(async () => {
    // The account of tasks can't read an interpreter in root's home.
    if (process.getuid?.() === 0) process.env['PATH'] = '/usr/bin:/bin';
    s = await startTestService({ SVC_HOME: home, SVC_RUN__ISOLATION: 'landlock' });
    await s.client.environments.create('dev');
    await deployPython(s, ASSETS);
  }, 60_000);
  afterAll(async () => {
    process.env['PATH'] = path;
    await s.stop();
  });

  test('reports that, builds the Python environment and runs tasks that read tables (RUN-22)', async () => {
    const [worker] = (await s.call('GET', '/workers')).body;
    expect(worker).toMatchObject({
      isolation: 'landlock',
      task_network: 'restricted',
      notes: expect.arrayContaining([expect.stringContaining('restricted by Landlock')]),
    });
    const { id } = await s.client.runs.create('dev', { repository: 'app' });
    const { tasks } = await s.client.runs.wait('dev', id);
    expect(tasks.map(({ asset, status, error }) => [asset, status, error?.detail ?? null]).sort()).toEqual([
      ['py.source', 'succeeded', null],
      ['py.spy', 'failed', expect.stringContaining('Permission denied')],
      ['py.total', 'succeeded', null],
    ]);
  }, 120_000);
});
