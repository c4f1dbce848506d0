import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCgroup } from './find-cgroup.ts';

const SERVICE = '/system.slice/svc.service';
const NOT_A_SERVICE = "the worker isn't a systemd service with Delegate=yes";
const NOT_DELEGATED = `the cgroup ${SERVICE} isn't delegated to the worker (Delegate=yes)`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function find(own: string, controllers: string, account = 1000) {
  mkdirSync(join(root, SERVICE), { recursive: true });
  for (const folder of ['', SERVICE]) {
    writeFileSync(join(root, folder, 'cgroup.controllers'), controllers);
    for (const file of ['cgroup.procs', 'cgroup.subtree_control']) writeFileSync(join(root, folder, file), '');
  }
  writeFileSync(join(root, 'own'), own);
  return findCgroup({ account, root, own: join(root, 'own') });
}

test.each([
  ['a login', '0::/user.slice/user-1000.slice/session-1.scope\n', NOT_A_SERVICE],
  ['a container', '0::/\n', NOT_A_SERVICE],
  ['a unit below a service of users', '0::/user.slice/user@1000.service/app.slice\n', NOT_A_SERVICE],
  ['controllers of version 1', '4:memory:/a\n8:pids:/\n', NOT_A_SERVICE],
])('%s is left alone', async (_, own, reason) => {
  expect(await find(own, 'cpu memory pids')).toEqual({ base: null, reason });
});

test('a service needs both controllers', async () => {
  expect(await find(`0::${SERVICE}\n`, 'cpu memory')).toEqual({ base: null, reason: NOT_DELEGATED });
});

test("root's service may belong to systemd alone", async () => {
  expect(await find(`0::${SERVICE}\n`, 'memory pids', 0)).toEqual({ base: null, reason: NOT_DELEGATED });
});

test('a machine without cgroup v2 is reported', async () => {
  const own = join(root, 'none');
  expect(await findCgroup({ account: 1000, root, own })).toMatchObject({
    reason: expect.stringContaining('no cgroup v2'),
  });
});
