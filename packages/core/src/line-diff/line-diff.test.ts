import fc from 'fast-check';
import { diffLines, hunksOf } from './index.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const shown = (before: string | null, after: string | null) =>
  diffLines(before, after).map(({ kind, text }) => SIGNS[kind] + text);

test.each([
  [null, 'a\nb\n', ['+a', '+b']],
  ['a\nb', null, ['-a', '-b']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a\r\nb\r\n', 'a\nb', [' a', ' b']],
  ['SELECT 1\nFROM x', 'SELECT 2\nFROM x\nWHERE y', ['-SELECT 1', '+SELECT 2', ' FROM x', '+WHERE y']],
  ['', '', []],
])('%j and %j', (before, after, lines) => expect(shown(before, after)).toEqual(lines));

test('lines have their numbers in both texts', () => {
  expect(diffLines('a\nb', 'b\nc')).toEqual([
    { kind: 'removed', text: 'a', before: 1, after: null },
    { kind: 'same', text: 'b', before: 2, after: 1 },
    { kind: 'added', text: 'c', before: null, after: 2 },
  ]);
});

test('a difference has all lines of both texts in order, and no more changes than the shortest', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before.join('\n'), after.join('\n'));
      expect(lines.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]))).toEqual(before);
      expect(lines.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text]))).toEqual(after);
      expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(commonLines(before, after));
      const changed = lines.filter(({ kind }) => kind !== 'same').length;
      expect(hunksOf(lines, 0).flat()).toHaveLength(changed);
      expect(new Set(hunksOf(lines).flat()).size).toBe(hunksOf(lines).flat().length);
    }),
  );
});

/** The length of the longest common subsequence. */
function commonLines(a: readonly string[], b: readonly string[]): number {
  let row = Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [i, other] of b.entries()) next.push(line === other ? row[i]! + 1 : Math.max(row[i + 1]!, next[i]!));
    row = next;
  }
  return row.at(-1)!;
}

test('texts that differ too much are replaced as a whole', () => {
  const many = (prefix: string) => Array.from({ length: 5000 }, (_, i) => `${prefix}${i}`).join('\n');
  const lines = diffLines(`x\n${many('a')}\ny`, `x\n${many('b')}\ny`);
  expect([lines.length, lines[1]!.text, lines[5001]!.text, lines.at(-1)!.kind]).toEqual([10_002, 'a0', 'b0', 'same']);
});

test('hunks have the lines around what differs', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `${i}`);
  const hunks = hunksOf(diffLines(lines.join('\n'), lines.filter((line) => line !== '10' && line !== '20').join('\n')));
  expect(hunks.map((hunk) => hunk.map(({ text }) => text).join(' '))).toEqual([
    '7 8 9 10 11 12 13',
    '17 18 19 20 21 22 23',
  ]);
});
