import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ScanFile } from '@svc/iceberg';
import { joinLocation } from '@svc/iceberg';
import { DeleteIndex, type DescribedFile, vectorOf } from '@svc/iceberg/testing';
import { QueryFixture } from './testing/query-fixture.ts';

let f: QueryFixture;
let data: ScanFile;
let owners = 0;
beforeAll(async () => {
  f = await QueryFixture.create();
  data = await f.addTable('s.t', [{ name: 'n', type: 'long' }], 'SELECT range AS n FROM range(5)');
});
afterAll(() => f.close());

/** The table with a vector of these rows; `claims` is its entry in the manifest. */
async function rowsWithout(rows: readonly number[], claims: object = {}) {
  const blob = vectorOf(rows);
  await writeFile(path.join(f.warehouse, 'v.puffin'), blob);
  const location = joinLocation(f.store.root, 'v.puffin');
  const vector = { kind: 'vector', location, offset: 0, length: blob.length, deleted: rows.length, ...claims } as const;
  const relation = f.relations.get('s.t') as object;
  f.relations.set('s.v', { ...relation, files: [{ ...data, rows: 5, deletes: [vector] }] } as never);
  // Files don't change, so an engine that has read one may be used again: here the file does change.
  const outcome = await f.query('select n from s.v order by n', { owner: `owner-${++owners}` });
  return outcome.ok ? outcome.rows!.flat() : outcome.error.message;
}

test('a vector hides the rows that it names', async () => {
  expect(await rowsWithout([0, 3])).toEqual([1, 2, 4]);
});

test.each<[problem: string, rows: readonly number[], claims: object]>([
  ['it refers to a row beyond the end of its data file', [0, 5], {}],
  ['it has fewer rows than its manifest states', [0, 3], { deleted: 3 }],
  ['it has more rows than its manifest states', [0, 3], { deleted: 1 }],
  ['its file ends before it does', [0, 3], { offset: 1 }],
  ['its file ends before it does', [0, 3], { length: 60_000_000 }],
  ['it has more than 67108864 bytes', [0, 3], { length: Number.MAX_SAFE_INTEGER }],
])('the error says that %s', async (problem, rows, claims) => {
  expect(await rowsWithout(rows, claims)).toBe(
    `A deletion vector of s.v is not valid: ${problem}. Roll the table back to a snapshot from before it was added.`,
  );
});

test('a data file has one vector at most', () => {
  const data_file = { content: 1, file_format: 'PUFFIN', referenced_data_file: 'f', file_path: 'v' };
  const entry = { data_file, sequence_number: 1n } as DescribedFile;
  expect(() => new DeleteIndex([entry, entry])).toThrow('two deletion vectors for one data file');
});
