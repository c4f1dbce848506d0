import { LoadingCache } from './loading-cache.ts';

const texts = () => new LoadingCache<string>({ maxSize: 10, sizeOf: (text) => text.length });

test('keeps the most recently used within the size, and loads each once', async () => {
  const known = texts();
  let loads = 0;
  const read = (text: string) => () => {
    loads++;
    return Promise.resolve(text);
  };
  await Promise.all([known.get('a', read('aaaa')), known.get('a', read('never'))]);
  await known.get('b', read('bbbb'));
  expect(await known.get('a', read('never'))).toBe('aaaa');
  // Two of the three fit: b was used longest ago.
  await known.get('c', read('cccc'));
  expect(loads).toBe(3);
  expect(await known.get('a', read('never'))).toBe('aaaa');
  expect(await known.get('b', read('bbbb'))).toBe('bbbb');
  expect(loads).toBe(4);
});

test("forgets what wasn't used for ten minutes", async () => {
  let now = 0;
  const known = new LoadingCache<string>({ maxSize: 10, sizeOf: () => 1, now: () => now });
  for (const name of ['a', 'b']) await known.put(name, Promise.resolve(name));
  now = 599_999;
  await known.get('b', async () => 'never');
  now = 600_001;
  await known.put('c', Promise.resolve('c'));
  expect(await known.get('a', async () => 'again')).toBe('again');
  expect(await known.get('b', async () => 'never')).toBe('b');
});

test('forgets what failed, but not what has replaced it since', async () => {
  const known = texts();
  const fail = () => Promise.reject(new Error('gone'));
  await expect(known.get('a', fail)).rejects.toThrow('gone');
  expect(await known.get('a', async () => 'there')).toBe('there');
  const failing = known.get('b', fail);
  await known.put('b', Promise.resolve('put'));
  await expect(failing).rejects.toThrow('gone');
  expect(await known.get('b', async () => 'never')).toBe('put');
});
