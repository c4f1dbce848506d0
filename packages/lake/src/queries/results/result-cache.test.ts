import { isInline, ResultCache } from './result-cache.ts';

const result = (text: string) => ({ columns: [{ name: 'a', type: 'string' }], rows: 1, bytes: null, cells: [[text]] });
const stored = { columns: [{ name: 'a', type: 'string' }], rows: 5000, bytes: 100, cells: null };

/** A query that ends when the test says so. */
function query() {
  let resolve!: (value: ReturnType<typeof result> | typeof stored) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<ReturnType<typeof result> | typeof stored>((...settle) => ([resolve, reject] = settle));
  let runs = 0;
  const run = () => {
    runs++;
    return promise;
  };
  return { run, resolve, reject, runs: () => runs };
}

test('the result that was used longest ago is evicted first', async () => {
  const cache = new ResultCache(1000);
  const run = async () => result('x'.repeat(50));
  const isCached = async (key: string) => (await cache.get(key, undefined, run)).isCached;
  for (const key of ['a', 'b', 'c']) expect(await isCached(key)).toBe(false);
  expect(await isCached('a')).toBe(true);
  expect(await isCached('d')).toBe(false);
  expect(await isCached('a')).toBe(true);
  expect(await isCached('b')).toBe(false);
});

test('a result larger than the cache evicts nothing', async () => {
  const cache = new ResultCache(500);
  await cache.get('a', undefined, async () => result('x'));
  await cache.get('large', undefined, async () => result('x'.repeat(1000)));
  expect(await cache.get('a', undefined, async () => result('y'))).toMatchObject({ isCached: true });
});

test('if the query fails, those that waited for it run themselves', async () => {
  const cache = new ResultCache(1000);
  const [first, second] = [query(), query()];
  const failed = cache.get('a', undefined, first.run);
  const waited = cache.get('a', undefined, second.run);
  first.reject(new Error('cancelled'));
  second.resolve(result('x'));
  await expect(failed).rejects.toThrow('cancelled');
  expect(await waited).toMatchObject({ isCached: false, result: { cells: [['x']] } });
  expect(second.runs()).toBe(1);
});

test('a result in a file belongs to its query alone', async () => {
  const cache = new ResultCache(1000);
  const [first, second] = [query(), query()];
  const all = Promise.all([cache.get('a', undefined, first.run), cache.get('a', undefined, second.run)]);
  first.resolve(stored);
  second.resolve(stored);
  expect((await all).map(({ isCached }) => isCached)).toEqual([false, false]);
  expect(second.runs()).toBe(1);
  expect(isInline(stored)).toBe(false);
});

test('a query whose wait is aborted runs itself, and meets the abort there', async () => {
  const cache = new ResultCache(1000);
  const [first, second] = [query(), query()];
  const controller = new AbortController();
  const leading = cache.get('a', undefined, first.run);
  const waiting = cache.get('a', controller.signal, second.run);
  controller.abort('cancelled');
  second.reject(new Error('aborted'));
  await expect(waiting).rejects.toThrow('aborted');
  first.resolve(result('x'));
  expect(await leading).toMatchObject({ isCached: false });
});

test('a cache of 0 bytes shares nothing', async () => {
  const cache = new ResultCache(0);
  for (let i = 0; i < 2; i++)
    expect(await cache.get('a', undefined, async () => result('x'))).toMatchObject({ isCached: false });
});
