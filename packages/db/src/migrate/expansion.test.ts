import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationNames, migrationsFolder } from './index.ts';
import { beyondExpansion, type MigrationText } from './testing/expansion.ts';

/** The first migration, which no program precedes. */
const FIRST = '20261124090000_init';

const verified = (sql: string, ...before: string[]) =>
  beyondExpansion(
    { name: 'm', sql },
    before.map((text, i) => ({ name: `b${i}`, sql: text })),
  );

test.each([
  'CREATE TABLE "a" ("x" INT NOT NULL); ALTER TABLE "a" ADD CONSTRAINT "a_x" CHECK (x > 0);',
  'CREATE TABLE a (x INT); CREATE UNIQUE INDEX "a_x" ON "a"("x");',
  'ALTER TABLE "a" ADD COLUMN "x" INT, ADD COLUMN "y" INT NOT NULL DEFAULT 0;',
  'CREATE INDEX "a_x" ON "a"("x") WHERE (x IS NOT NULL);',
  'DROP INDEX "a_x"; CREATE INDEX "a_x" ON "a"("x", "y");',
  'CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM a; DROP TABLE b; END $$ LANGUAGE plpgsql;',
  '-- DROP TABLE a;\nALTER TABLE a ALTER COLUMN x DROP NOT NULL;',
])('a migration that only adds is accepted: %s', (sql) => expect(verified(sql)).toEqual([]));

test.each([
  ['DROP TABLE "a";', 'takes away'],
  ['ALTER TABLE "a" DROP COLUMN "x";', 'drops a column'],
  ['ALTER TABLE "a" RENAME COLUMN "x" TO "y";', 'renames something'],
  ['ALTER TABLE "a" RENAME TO "b";', 'renames something'],
  ['ALTER TABLE "a" ALTER COLUMN "x" SET DATA TYPE JSON;', 'type of a column'],
  ['ALTER TABLE a ALTER COLUMN x TYPE bigint;', 'type of a column'],
  ['ALTER TABLE "a" ALTER COLUMN "x" SET NOT NULL;', 'leave out'],
  ['ALTER TABLE "a" ALTER COLUMN "x" DROP DEFAULT;', 'count on'],
  ['ALTER TABLE "a" ADD COLUMN "x" INT NOT NULL;', 'do not set'],
  ['ALTER TABLE "a" ADD COLUMN "x" INT NOT NULL,\nADD COLUMN "y" INT DEFAULT 0;', 'do not set'],
  ['ALTER TABLE "a" ADD CONSTRAINT "a_x" CHECK (x > 0);', 'rule'],
  ['CREATE UNIQUE INDEX "a_x" ON "a"("x");', 'unique'],
  ['CREATE TRIGGER t BEFORE INSERT ON "a" FOR EACH ROW EXECUTE FUNCTION f();', 'rows that they write'],
  ['UPDATE a SET x = 1;', 'changes rows'],
  ['DELETE FROM a;', 'removes rows'],
])('a risk for old programs is reported: %s', (sql, what) => {
  expect(verified(sql)).toEqual([expect.stringContaining(what)]);
  expect(verified(`-- Old programs: they never wrote it.\n${sql}`)).toEqual([]);
  expect(verified(`-- Old programs:\n${sql}`)).toHaveLength(1);
});

test('dropping an index that an earlier migration made unique requires an explanation', () => {
  const made = 'CREATE UNIQUE INDEX "a_x" ON "a"("x");';
  expect(verified('DROP INDEX "a_x";', made)).toEqual([expect.stringContaining('ON CONFLICT')]);
  expect(verified('DROP INDEX "a_y";', made)).toEqual([]);
});

test('every migration only adds, or explains why programs of the previous version keep working', async () => {
  const all: MigrationText[] = (await migrationNames()).map((name) => ({
    name,
    sql: readFileSync(join(migrationsFolder(), name, 'migration.sql'), 'utf8'),
  }));
  const found = all
    .filter(({ name }) => name > FIRST)
    .flatMap((one) => beyondExpansion(one, all.slice(0, all.indexOf(one))).map((what) => `${one.name}: ${what}`));
  expect(found).toEqual([]);
});
