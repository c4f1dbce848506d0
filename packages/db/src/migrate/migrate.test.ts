import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer, testServer } from '../testing/server.ts';
import { MigrationError, migrate, migrationsFolder, planMigrations, schemaVersion } from './index.ts';

let folder: string;
let url: string;
let serverUrl: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'));
  const { urlOf } = await testServer();
  serverUrl = urlOf('svc');
  url = urlOf('migrating');
  await administer(serverUrl, (client) => client.query('CREATE DATABASE migrating'));
});

afterEach(async () => {
  await administer(serverUrl, (client) => client.query('DROP DATABASE migrating'));
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

const values = async (sql: string) =>
  administer(url, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows.flat());

test('applies missing migrations once, in order of names', async () => {
  write('1_a', 'CREATE TABLE a (x int); INSERT INTO a VALUES (1);');
  expect(await migrate(url, { folder })).toEqual(['1_a']);
  write('2_b', 'INSERT INTO a VALUES (2);');
  write('3_c', 'INSERT INTO a SELECT max(x) + 1 FROM a;');
  expect(await migrate(url, { folder })).toEqual(['2_b', '3_c']);
  expect(await migrate(url, { folder })).toEqual([]);
  expect(await values('SELECT x FROM a ORDER BY x')).toEqual([1, 2, 3]);
  expect(
    await values('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1'),
  ).toEqual(['1_a', '2_b', '3_c']);
});

describe('a migration that replaces earlier ones', () => {
  const replace = () => {
    rmSync(folder, { recursive: true });
    write('3_c', '-- Replaces: 1_a\n-- Replaces: 2_b\n\nCREATE TABLE a (x int); CREATE TABLE b (x int);');
  };
  const recorded = () => values('SELECT migration_name FROM _prisma_migrations ORDER BY 1');

  beforeEach(() => {
    write('1_a', 'CREATE TABLE a (x int);');
    write('2_b', 'CREATE TABLE b (x int);');
  });

  test('is only recorded in a database that has all of them', async () => {
    await migrate(url, { folder });
    replace();
    write('4_d', 'CREATE TABLE d (x int);');
    expect(await planMigrations(url, folder)).toMatchObject([{ name: '4_d' }]);
    expect(await recorded()).toEqual(['1_a', '2_b']);
    expect(await migrate(url, { folder })).toEqual(['4_d']);
    expect(await recorded()).toEqual(['3_c', '4_d']);
    expect(await migrate(url, { folder })).toEqual([]);
  });

  test('is applied to an empty database, also up to the last migration that it replaces', async () => {
    replace();
    write('4_d', 'CREATE TABLE d (x int);');
    expect(await migrate(url, { folder, until: '2_b' })).toEqual(['3_c']);
    expect(await migrate(url, { folder })).toEqual(['4_d']);
  });

  test('is refused by a database that has only some of them', async () => {
    await migrate(url, { folder, until: '1_a' });
    replace();
    await expect(migrate(url, { folder })).rejects.toThrow(
      /only some of the migrations that 3_c replaces: 2_b is missing/,
    );
    expect(await recorded()).toEqual(['1_a']);
  });
});

test('only one of several concurrent callers migrates, and the others wait', async () => {
  write('1_a', 'CREATE TABLE a (x int); SELECT pg_sleep(0.05);');
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { folder })));
  expect(applied.flat()).toEqual(['1_a']);
});

test('a failed migration is rolled back and can be fixed', async () => {
  write('1_a', 'CREATE TABLE a (x int);');
  write('2_b', 'CREATE TABLE b (x int); SELECT 1/0;');
  await expect(migrate(url, { folder })).rejects.toThrow(
    /migration 2_b could not be applied and was undone: division by zero/,
  );
  expect(await values(`SELECT to_regclass('a') IS NOT NULL, to_regclass('b') IS NULL`)).toEqual([true, true]);
  write('2_b', 'CREATE TABLE b (x int);');
  expect(await migrate(url, { folder })).toEqual(['2_b']);
});

test('an edited migration that was applied before is rejected', async () => {
  write('1_a', 'CREATE TABLE a (x int);');
  await migrate(url, { folder });
  appendFileSync(join(folder, '1_a/migration.sql'), '\n-- more');
  await expect(migrate(url, { folder })).rejects.toThrow(MigrationError);
  await expect(migrate(url, { folder })).rejects.toThrow(/1_a was edited after it was applied.*new migration/);
});

test('a database used by a newer version is rejected', async () => {
  write('1_a', 'CREATE TABLE a (x int);');
  write('2_b', 'CREATE TABLE b (x int);');
  await migrate(url, { folder });
  rmSync(join(folder, '2_b'), { recursive: true });
  await expect(migrate(url, { folder })).rejects.toThrow(/2_b.*newer version.*backup/s);
});

test('a migration that another tool left unfinished is rejected', async () => {
  write('1_a', 'CREATE TABLE a (x int);');
  await migrate(url, { folder });
  await administer(url, (client) => client.query('UPDATE _prisma_migrations SET finished_at = NULL'));
  await expect(migrate(url, { folder })).rejects.toThrow(/1_a was started by another tool/);
});

test('the checked-in migrations apply to an empty database, and the newest names the schema version', async () => {
  cpSync(migrationsFolder(), folder, { recursive: true });
  const applied = await migrate(url, { folder });
  expect(applied.at(-1)).toBe(await schemaVersion());
  expect(await migrate(url)).toEqual([]);
});
