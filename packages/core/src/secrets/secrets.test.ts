import type * as z from 'zod';
import {
  bindCommand,
  createCommand,
  credentialSecret,
  examineValues,
  nameCommand,
  rotateCommand,
  secretEndpoints,
  secretName,
  sshKeyError,
} from './index.ts';

test.each(['a', 'corp-packages', 'a/b', 'ä', '-x', 'a'.repeat(255), '\u{1F511}'.repeat(255), "it's"])(
  '%j is a valid name (INDEX-10)',
  (name) => expect(secretName.safeParse(name).success).toBe(true),
);
test.each(['', ' ', 'a b', 'a:b', 'a\tb', 'a\u0000', 'a\u200eb', '.', '..', 'a'.repeat(256)])(
  '%j is not a valid name (INDEX-10)',
  (name) => expect(secretName.safeParse(name).success).toBe(false),
);
test('an empty name of a credential secret clears it', () => {
  expect(credentialSecret.parse('')).toBeNull();
  expect(credentialSecret.parse(null)).toBeNull();
  expect(credentialSecret.parse('x')).toBe('x');
});

test.each([
  [{ 'a\tb': 'x' }, 'must contain only printable characters'],
  [{ '': 'x' }, 'must not be empty'],
  [{ a: 1 }, 'must be a string'],
  ['x', 'must be an object of strings'],
])('values %j are refused with the reason (SECRET-2)', (values, message) =>
  expect((secretEndpoints.create.body as z.ZodType).safeParse({ name: 'a', values }).error?.issues[0]?.message).toBe(
    message,
  ),
);

test('commands are quoted for a shell (SECRET-4)', () => {
  const index = { kind: 'package-index' as const, name: 'my index' };
  expect(createCommand('pw', 'dev', index)).toBe("svc secret create pw --env dev --values-stdin --index 'my index'");
  expect(bindCommand("it's", 'dev', { kind: 'repository', name: '-x' })).toBe(
    "svc secret bind 'it'\\''s' --env dev --repository=-x",
  );
  expect(bindCommand('-hooks', 'dev', null)).toBe('svc secret bind --env dev --environment -- -hooks');
  expect(nameCommand(index, '-s')).toBe("svc index update 'my index' --credential-secret=-s");
  expect(rotateCommand('--all', 'dev')).toBe('svc secret rotate --env dev --values-stdin -- --all');
});

test.each([
  [{ ssh_key: 'k', known_hosts: 'h' }, null],
  [{ known_hosts: 'h' }, 'it has no ssh_key'],
  [{ ssh_key: 'k' }, 'it has no known_hosts'],
  [{ ssh_key: '', known_hosts: 'h' }, 'it has no ssh_key'],
  [{ ssh_key: 'k\0', known_hosts: 'h' }, 'its ssh_key is not plain text'],
])('%j opens a repository over ssh, or the reason why not (SECRET-6)', (values, fault) =>
  expect(sshKeyError(examineValues(values as Record<string, string>))).toBe(fault),
);
