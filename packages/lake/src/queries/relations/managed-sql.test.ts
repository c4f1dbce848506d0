import type { ScanFile } from '@svc/iceberg';
import { managedSql } from './managed-sql.ts';

const file = (location: string, rows: number): ScanFile => ({
  location,
  rows,
  bytes: rows,
  deletes: [],
  sameColumns: true,
});
const access = { localPath: async (location: string) => location, layouts: async () => new Map() };

test.each([
  [
    [1, 100],
    [100, 1],
  ],
  [
    [100, 1],
    [100, 1],
  ],
  [
    [1, 1, 90, 1, 60],
    [60, 1, 1, 90, 1],
  ],
  [
    [5, 5, 5],
    [5, 5, 5],
  ],
])('the engine meets a file of typical size first: %j', async (rows, order) => {
  const files = rows.map((count, i) => file(`/f${i}-${count}`, count));
  const fields = [{ id: 1, name: 'a', required: false, type: 'int' as const }];
  const { sql, paths } = await managedSql({ fields, files }, access);
  expect(paths.map((path) => Number(path.split('-')[1]))).toEqual(order);
  expect(sql.text).toContain(`['${paths.join("', '")}']`);
});
