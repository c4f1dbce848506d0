import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const EXPIRES = '2026-03-01T08:00:00.000Z';
let service: ScriptedService;
let folder: string;
beforeAll(async () => {
  service = await startService(() => ({ body: [], headers: { 'Svc-Token-Expires': EXPIRES } }));
  folder = await mkdtemp(join(tmpdir(), 'svc-expiry-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const listing = (more: object = {}, argv: string[] = []) =>
  svc(['env', 'list', ...argv], { url: service.url, configFolder: folder, env: { SVC_TOKEN: 'x' }, ...more });

test('a token that expires soon is reported on a terminal, once a day for each profile (TOKEN-3)', async () => {
  expect((await listing()).stderr).not.toContain('expires');
  expect((await listing({ confirms: true }, ['--output', 'json'])).stderr).not.toContain('expires');
  const warned = await listing({ confirms: true });
  expect(warned.stderr).toContain('Your token expires at 2026-03-01');
  expect(warned.stdout).not.toContain('expires');
  expect((await listing({ confirms: true })).stderr).not.toContain('expires');
  expect((await listing({ confirms: true }, ['--profile', 'other'])).stderr).toContain('Your token expires');
});
