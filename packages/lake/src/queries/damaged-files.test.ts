import { FileFuzzer } from './testing/file-fuzzer.ts';

// Fields of a table's and a view's files in turn, of wrong types and with hostile texts; more of them in the long test.
let fuzzer: FileFuzzer;
beforeAll(async () => {
  fuzzer = await FileFuzzer.create(20);
});
afterAll(() => fuzzer.close());

test('the table that the others are twisted from is read, with its deletes', async () => {
  expect(await fuzzer.rows()).toEqual([2, 11, 12, 14].map((id) => [id, 'n']));
});

test('no field of a file becomes SQL, or an error other than a query error', async () => {
  const { faults, refused, planned, ran } = await fuzzer.run(2000, 10);
  expect(faults).toEqual([]);
  expect(refused).toBeGreaterThan(300);
  expect(planned).toBeGreaterThan(150);
  expect(ran).toBeGreaterThan(10);
});
