import { idSource, isUuid, pooled } from './index.ts';

const zeros = (n: number) => new Uint8Array(n);
const ones = (n: number) => new Uint8Array(n).fill(0xff);

describe('idSource', () => {
  test.each([
    ['zeros', zeros],
    ['ones', ones],
  ])('returns increasing version 7 ids whatever the clock does: %s (HTTP-2)', (_, random) => {
    const times = [1000, 1000, 1000, 999, 5, 1001, 1001];
    let at = 0;
    const next = idSource(() => times[Math.min(at++, times.length - 1)]!, random);
    const ids = Array.from({ length: 600 }, next);
    expect(ids.every(isUuid)).toBe(true);
    expect(ids.every((id) => id[14] === '7' && '89ab'.includes(id[19]!))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has the milliseconds in its first 48 bits', () => {
    const id = idSource(() => Date.UTC(2026, 10, 21), zeros)();
    expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(Date.UTC(2026, 10, 21));
  });
});

test('pooled randomness returns each byte once and makes few calls', () => {
  let calls = 0;
  let next = 0;
  const random = pooled((bytes) => {
    calls++;
    return Uint8Array.from({ length: bytes }, () => next++ % 256);
  }, 8);
  expect([random(3), random(3), random(3)].map((b) => [...b])).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [8, 9, 10],
  ]);
  expect(calls).toBe(2);
  expect(random(9)).toHaveLength(9);
});
