import { FileFuzzer } from './testing/file-fuzzer.ts';

const COUNT = Number(process.env['FUZZ_FILES'] ?? 100_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

let fuzzer: FileFuzzer;
beforeAll(async () => {
  fuzzer = await FileFuzzer.create(SEED);
});
afterAll(() => fuzzer.close());

test(`no field of a file becomes SQL (seed ${SEED})`, async () => {
  const { faults, refused, planned } = await fuzzer.run(COUNT, 100);
  expect(faults).toEqual([]);
  expect(refused + planned).toBe(COUNT);
});
