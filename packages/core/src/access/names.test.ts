import type * as z from 'zod';
import { columnName, environmentName, namespacePath, principalName, repositoryName, tableName } from './names.ts';

const KINDS: Record<string, z.ZodType> = {
  principal: principalName,
  environment: environmentName,
  namespace: namespacePath,
  table: tableName,
  column: columnName,
  repository: repositoryName,
};

const many = (letter: string, count: number) => letter.repeat(count);

test.each<[kind: string, valid: string[], invalid: string[]]>([
  [
    'principal',
    ['a', 'Ann B.', '\u{1f600}', many('n', 255)],
    ['', 'a/b', ' a', 'e\u0301', 'a\u0000', 'a\u200e', '.', '..', many('n', 256)],
  ],
  ['environment', ['0', 'dev-1_x', many('e', 63)], ['', 'Dev', '-dev', 'a.b', 'é', '.', '..', many('e', 64)]],
  ['namespace', ['_', 'a.B.c1', many('n', 128)], ['', '1a', 'a..b', '.', '..', 'a-b', many('n', 129)]],
  ['table', ['_', 'T1', many('t', 128)], ['', '1t', 'a.b', 'a b', '.', '..', many('t', 129)]],
  ['column', ['a', '.', ' Größe in % ', many('c', 255)], ['', 'a\u0007', many('c', 256)]],
  ['repository', ['shop', 'shop 2', many('r', 255)], ['', 'a/b', 'a ', 'e\u0301', 'a.b', '.', '..', many('r', 256)]],
])('names of kind %s (TABLE-2)', (kind, valid, invalid) => {
  const accepted = (name: string) => KINDS[kind]!.safeParse(name).success;
  expect(valid.filter((name) => !accepted(name))).toEqual([]);
  expect(invalid.filter(accepted)).toEqual([]);
});
