import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { profileFile, readCredentials, readProfiles } from './profiles.ts';

let env: NodeJS.ProcessEnv;
let file: string;
beforeEach(() => {
  env = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'svc-profiles-')) };
  file = profileFile(env);
  mkdirSync(dirname(file));
  const saved = { default: { url: 'http://a.test', token: 'ta' }, b: { url: 'http://b.test/', token: 'tb' } };
  writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
});
afterEach(() => rmSync(env.XDG_CONFIG_HOME!, { recursive: true }));

test('options come before variables, and variables before the profile (SDK-8)', () => {
  expect(readCredentials({}, env)).toMatchObject({ url: 'http://a.test', token: 'ta' });
  expect(readCredentials({ profile: 'b' }, env)).toMatchObject({ url: 'http://b.test/', token: 'tb' });
  expect(readCredentials({}, { ...env, SVC_PROFILE: 'b' })).toMatchObject({ url: 'http://b.test/', token: 'tb' });
  expect(readCredentials({}, { ...env, SVC_TOKEN: 'tv' })).toMatchObject({ url: 'http://a.test', token: 'tv' });
  expect(readCredentials({ url: 'http://c.test', token: 'to' }, { ...env, SVC_TOKEN: 'tv' })).toMatchObject({
    url: 'http://c.test',
    token: 'to',
  });
});

test('the token of a profile is never sent to another address, nor instead of an empty one (SDK-8)', () => {
  expect(readCredentials({ url: 'http://elsewhere.test' }, env).token).toBeUndefined();
  expect(readCredentials({}, { ...env, SVC_URL: 'http://elsewhere.test' }).token).toBeUndefined();
  expect(readCredentials({ url: 'http://b.test', profile: 'b' }, env).token).toBe('tb');
  expect(readCredentials({ token: '' }, env)).toMatchObject({ url: 'http://a.test', token: undefined });
});

test('a file that others can read, or that contains no profiles, is an error; a missing one is empty', () => {
  chmodSync(file, 0o644);
  expect(() => readProfiles(file)).toThrow('other users can read it');
  expect(readCredentials({ url: 'http://a.test', token: 't' }, env).token).toBe('t');
  chmodSync(file, 0o600);
  writeFileSync(file, '{');
  expect(() => readProfiles(file)).toThrow('is not valid JSON');
  for (const text of ['null', '[]', '"default"', '1']) {
    writeFileSync(file, text);
    expect(() => readProfiles(file)).toThrow('must contain one object with the profiles by name. Fix it');
  }
  for (const profile of [null, 'http://a.test', [], { url: 1 }, { token: null }, { env: {} }]) {
    writeFileSync(file, JSON.stringify({ default: profile }));
    expect(() => readProfiles(file)).toThrow('has a profile "default" that isn\'t an object with "url"');
  }
  rmSync(file);
  expect(readCredentials({}, env)).toMatchObject({ url: undefined, token: undefined });
});

test("the profile's permission to send its token unencrypted counts for its own address only (SDK-11)", () => {
  const saved = { default: { url: 'http://a.test/', token: 'ta', allow_insecure: true } };
  writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
  expect(readCredentials({}, env).allowInsecure).toBe(true);
  expect(readCredentials({ url: 'http://a.test' }, env).allowInsecure).toBe(true);
  expect(readCredentials({ url: 'http://b.test' }, env).allowInsecure).toBe(false);
  expect(readCredentials({ url: 'HTTP://A.test:80' }, env).allowInsecure).toBe(true);
  expect(readCredentials({ allowInsecure: false }, env).allowInsecure).toBe(false);
  expect(readCredentials({}, { ...env, SVC_ALLOW_INSECURE: 'false' }).allowInsecure).toBe(false);
  expect(readCredentials({ url: 'http://b.test' }, { ...env, SVC_ALLOW_INSECURE: 'true' }).allowInsecure).toBe(true);
});
