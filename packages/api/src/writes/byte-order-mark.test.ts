import { blankMark } from './byte-order-mark.ts';

test.each([
  [['\ufeff{"a":1}'], '   {"a":1}'],
  [['\ufeff'], '   '],
  [['{"a":', '"\ufeff"}'], '{"a":"\ufeff"}'],
  [['{', '}'], '{}'],
  [['{'], '{'],
  [[], ''],
])('%j', async (texts, expected) => {
  const whole = Buffer.from(texts.join(''));
  // As it comes, and byte by byte.
  for (const pieces of [texts.map((text) => Buffer.from(text)), [...whole].map((byte) => Buffer.from([byte]))]) {
    const out: Buffer[] = [];
    for await (const piece of blankMark(iterate(pieces))) out.push(piece);
    expect(Buffer.concat(out).toString()).toBe(expected);
  }
});

async function* iterate(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
