import { type Container, vectorBlob, vectorOf } from '../testing/deletion-vectors.ts';
import { DeletionVectorError, MAX_VECTOR_BYTES, readDeletionVector, type VectorBounds } from './deletion-vector.ts';

const array = (key: number, ...values: number[]): Container => ({
  key,
  claimed: values.length,
  body: { kind: 'array', values },
});
const runs = (key: number, claimed: number, ...list: [start: number, more: number][]): Container => ({
  key,
  claimed,
  body: { kind: 'runs', runs: list },
});
const bits = (key: number, claimed: number, bytes: Buffer): Container => ({
  key,
  claimed,
  body: { kind: 'bits', bytes },
});
const bitmap = (key: number, ...containers: Container[]) => ({ key, containers });

const MANY = { rows: 2 ** 40, deleted: 2 ** 40 };

/** What comes of a blob: its first positions, how many there are, and why it is refused. */
function read(blob: Buffer, bounds: VectorBounds) {
  const first: number[] = [];
  let count = 0;
  try {
    for (const position of readDeletionVector(blob, bounds)) {
      count += 1;
      if (first.length < 5) first.push(position);
    }
    return { first, count };
  } catch (error) {
    if (!(error instanceof DeletionVectorError)) throw error;
    return { problem: error.message, count };
  }
}

test('containers of every kind are read, in bitmaps of 32 bits each', () => {
  const dense = Buffer.alloc(8192);
  dense.fill(0xff, 0, 1024);
  const blob = vectorBlob([
    bitmap(0, array(0, 1, 5), bits(2, 8192, dense)),
    bitmap(2, runs(0, 3, [7, 2]), array(65_535, 65_535)),
  ]);
  const rows = 3 * 2 ** 32;
  expect(read(blob, { rows, deleted: 2 + 8192 + 4 })).toEqual({
    first: [1, 5, 131_072, 131_073, 131_074],
    count: 8198,
  });
  const last = [...readDeletionVector(blob, { rows, deleted: 8198 })].at(-1);
  expect(last).toBe(3 * 2 ** 32 - 1);
  expect(read(vectorBlob([]), { rows: 0, deleted: 0 })).toEqual({ first: [], count: 0 });
});

test.each<[name: string, blob: Buffer, bounds: VectorBounds, problem: string]>([
  ['too short', Buffer.alloc(19), MANY, 'truncated'],
  ['of another length than it says', vectorBlob([], { length: 2 ** 32 - 1 }), MANY, 'truncated'],
  ['of another type', vectorBlob([], { magic: '50464131' }), MANY, 'its type is not'],
  ['with another checksum', vectorBlob([], { checksum: 7 }), MANY, 'checksum'],
  ['of 2^64 bitmaps', vectorBlob([], { bitmaps: 2n ** 64n - 1n }), MANY, 'more bitmaps than'],
  [
    'of more bitmaps than its rows need',
    vectorBlob([bitmap(0), bitmap(1)]),
    { rows: 5, deleted: 0 },
    'more bitmaps than',
  ],
  ['of bitmaps that are missing', vectorBlob([], { bitmaps: 1n }), MANY, 'truncated'],
  ['of 4 billion containers', vectorBlob([bitmap(0)], { containers: 2 ** 32 - 1 }), MANY, 'more than 65536 containers'],
  ['of containers that are missing', vectorBlob([bitmap(0)], { containers: 65_536 }), MANY, 'truncated'],
  ['of no bitmap', vectorBlob([bitmap(0)], { cookie: 7 }), MANY, 'contain roaring bitmaps'],
  [
    'with more rows than its manifest says',
    vectorOf([1, 2, 3]),
    { rows: 9, deleted: 2 },
    'more rows than its manifest',
  ],
  ['with fewer rows than its manifest says', vectorOf([1, 2]), { rows: 9, deleted: 3 }, 'fewer rows than its manifest'],
  ['with a row beyond the last', vectorOf([1, 9]), { rows: 9, deleted: 2 }, 'beyond the end'],
  ['with a row twice', vectorOf([1, 1]), { rows: 9, deleted: 2 }, 'out of order'],
  [
    'with bitmaps out of order',
    vectorBlob([bitmap(1, array(0, 1)), bitmap(0, array(0, 1))]),
    { rows: 2 ** 33, deleted: 2 },
    'out of order',
  ],
  [
    'with containers out of order',
    vectorBlob([bitmap(0, array(1, 1), array(0, 1))]),
    { ...MANY, deleted: 2 },
    'out of order',
  ],
  [
    'with runs of more rows than they say',
    vectorBlob([bitmap(0, runs(0, 2, [0, 65_535]))]),
    { ...MANY, deleted: 2 },
    'more rows than it',
  ],
  [
    'with runs of fewer rows than they say',
    vectorBlob([bitmap(0, runs(0, 9, [0, 1]))]),
    { ...MANY, deleted: 9 },
    'fewer rows than it',
  ],
  [
    'with a run beyond its container',
    vectorBlob([bitmap(0, runs(0, 9, [65_535, 5]))]),
    { ...MANY, deleted: 9 },
    'beyond its container',
  ],
  [
    'with contradicting bits',
    vectorBlob([bitmap(0, bits(0, 5000, Buffer.alloc(8192)))]),
    { ...MANY, deleted: 5000 },
    'fewer rows than it',
  ],
  [
    'cut off in a container',
    vectorBlob([bitmap(0, bits(0, 5000, Buffer.alloc(100)))]),
    { ...MANY, deleted: 5000 },
    'truncated',
  ],
  ['too large', Buffer.alloc(MAX_VECTOR_BYTES + 1), MANY, `more than ${MAX_VECTOR_BYTES} bytes`],
])('a vector %s is refused', (_name, blob, bounds, problem) => {
  expect(read(blob, bounds).problem).toContain(problem);
});

test('a few bytes that claim billions of rows are refused before a row is made of them', () => {
  const full = Array.from({ length: 65_536 }, (_, key) => runs(key, 65_536, [0, 65_535]));
  expect(read(vectorBlob([bitmap(0, ...full)]), { rows: 2 ** 40, deleted: 3 })).toMatchObject({ count: 0 });
});
