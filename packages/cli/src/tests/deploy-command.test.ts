import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { deploy } from '../testing/records.ts';
import { type RunOptions, svc } from '../testing/run-svc.ts';

const missing = { status: 404, body: { code: 'not-found', detail: 'There is no such thing.' } };
const HERE = '/api/v1/environments/prod';

let service: ScriptedService;
let folder: string;
let registered: string[];
beforeAll(async () => {
  service = await startService(({ url, method, body }) => {
    const { pathname } = new URL(url, 'http://x');
    const sent = method === 'POST' && !pathname.endsWith('/bundles') ? JSON.parse(body) : {};
    if (pathname === `${HERE}/bundles`) return { status: 201, body: { bundle_id: deploy.id } };
    if (pathname === '/api/v1/repositories') {
      registered.push(sent.name);
      return { status: 201, body: { name: sent.name } };
    }
    if (pathname.startsWith('/api/v1/repositories/')) return missing;
    if (method === 'POST') return registered.includes(sent.repository) ? { status: 202, body: deploy } : missing;
    return { body: { ...deploy, warnings: [] } };
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  registered = ['shop'];
  folder = await mkdtemp(join(tmpdir(), 'svc-deploy-'));
  await manifest('name: shop\n');
});
afterEach(() => rm(folder, { recursive: true }));

const manifest = (text: string) => writeFile(join(folder, 'svc.yaml'), text);
const call = (argv: string[], options: RunOptions = {}) => {
  service.received.length = 0;
  return svc(['deploy', ...argv, '--env', 'prod'], { url: service.url, ...options });
};
/** The bodies of the requests that create deploys. */
const created = () =>
  service.received
    .filter(({ url, method }) => method === 'POST' && url === `${HERE}/deploys`)
    .map(({ body }) => JSON.parse(body));

test('svc deploy takes the repository from the name in svc.yaml (CLI-30)', async () => {
  expect(await call([folder])).toMatchObject({ code: 0 });
  expect(created()).toEqual([{ repository: 'shop', bundle_id: deploy.id }]);
  registered.push('other');
  expect(await call([folder, '--repo', 'other'])).toMatchObject({ code: 0 });
  expect(created()).toMatchObject([{ repository: 'other' }]);
});

test.each([
  ['no name', 'jobs: {}\n', 'has no name. Add "name: REPOSITORY", or name the repository with --repo.'],
  ['a mistake', 'name: shop\njobz: 1\n', 'svc.yaml:2'],
  ['no manifest', null, '--repo'],
])('with %s in svc.yaml, it says what to do and sends nothing (CLI-30)', async (_, text, expected) => {
  if (text === null) await rm(join(folder, 'svc.yaml'));
  else await manifest(text);
  expect(await call([folder])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(expected) });
  expect(service.received).toEqual([]);
});

test('it offers to register an unknown repository, and deploys with the same upload (CLI-30)', async () => {
  const { code, stderr } = await call([folder, '--repo', 'new one'], { confirms: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Registered the repository new one.\n' });
  expect(registered).toContain('new one');
  expect(service.received.filter(({ url }) => url.endsWith('/bundles'))).toHaveLength(1);
  expect(created()).toHaveLength(2);
});

test('if the answer is no, or without a terminal, it names the command (CLI-30)', async () => {
  const expected = {
    code: 3,
    stdout: '',
    stderr: "Error: The repository new one isn't registered.\nNext: svc repository add 'new one'\n",
  };
  expect(await call([folder, '--repo', 'new one'], { confirms: false })).toEqual(expected);
  expect(await call([folder, '--repo', 'new one'])).toEqual(expected);
  expect((await call(['--repo', 'new'])).stderr).toContain('Next: svc repository add new --url URL\n');
  expect(registered).toEqual(['shop']);
});

test('the commit of the folder and whether it is dirty are sent with it (DEPLOY-21)', async () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'x');
  await call([folder]);
  expect(created()).toMatchObject([{ commit: git('rev-parse', 'HEAD'), dirty: false }]);
  await manifest('name: shop\npython: "3.12"\n');
  await call([folder]);
  expect(created()).toMatchObject([{ dirty: true }]);
});
