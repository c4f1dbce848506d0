import { queryLimit, storageExceeded, storageLimit } from './index.ts';

const none = { quotaStorage: null, quotaConcurrentQueries: null };
const some = { quotaStorage: 5000, quotaConcurrentQueries: 2 };

test.each([
  [null, none, null],
  [null, some, 5000],
  [7n, some, 7],
  [0, some, 0],
])('the storage limit %p of an environment overrides the operator’s', (own, byDefault, limit) => {
  expect(storageLimit({ quota_storage_bytes: own, quota_concurrent_queries: null }, byDefault)).toBe(limit);
});

test.each([
  [null, none, null],
  [null, some, 2],
  [9, some, 9],
])('so does its query limit %p', (own, byDefault, limit) => {
  expect(queryLimit({ quota_storage_bytes: null, quota_concurrent_queries: own }, byDefault)).toBe(limit);
});

test.each([
  [0, 0, '0 bytes of its storage quota of 0 bytes'],
  [999, 1000, '999 bytes of its storage quota of 1 KB'],
  [1_234_567, 1_000_000, '1.235 MB of its storage quota of 1 MB'],
  [12_000_000_000, 10_000_000_000, '12 GB of its storage quota of 10 GB'],
  [5e18, 1e18, '5000 PB of its storage quota of 1000 PB'],
])('%d of %d bytes in a message', (used, limit, text) => {
  const refused = storageExceeded('dev', { used, limit });
  expect(refused).toMatchObject({ code: 'quota-exceeded', status: 409, remedy: 'svc env quotas dev' });
  expect(refused.detail).toContain(text);
});
