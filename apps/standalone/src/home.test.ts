import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome } from './home.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-home-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const own = { token: undefined, secretsKey: undefined };

test('the first start creates a token and a key that only their owner can read, and later ones use them', () => {
  const first = openHome(folder, own);
  expect(openHome(folder, own)).toEqual(first);
  expect(readdirSync(folder).sort()).toEqual(['admin-token', 'secrets.key']);
  expect(readFileSync(first.tokenFile, 'utf8')).toBe(`${first.token}\n`);
  expect(Buffer.from(first.secretsKey, 'base64')).toHaveLength(32);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test.each([
  ['admin-token', 'Delete it, and start the service again'],
  ['secrets.key', 'Put the key back'],
])('an empty %s, which a start on a full disk has left, is neither a token nor a key', (name, remedy) => {
  openHome(folder, own);
  writeFileSync(join(folder, name), '');
  expect(() => openHome(folder, own)).toThrow(`${join(folder, name)} is empty. ${remedy}`);
});
