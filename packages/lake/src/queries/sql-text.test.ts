import { identifier, integer, joined, literal, literals, numbered, Sql, sql, typeName } from './sql-text.ts';

const HOSTILE = `'; ATTACH 'x' --"`;

test('fragments are quoted as what they are', () => {
  const select = sql`SELECT ${identifier(HOSTILE)}, ${literal(HOSTILE)}, ${integer(7n)} FROM read(${literals(["a'b", 'c'])})`;
  expect(select.text).toBe(`SELECT "'; ATTACH 'x' --""", '''; ATTACH ''x'' --"', 7 FROM read(['a''b', 'c'])`);
  expect(joined([numbered('c', 1), numbered('c', 2)], ' AND ').text).toBe('c1 AND c2');
  const named = { kind: 'struct', fields: [{ name: '"); --', type: { kind: 'int' } }] } as const;
  expect(typeName(named).text).toBe('STRUCT("""); --" INTEGER)');
});

test('nothing but a fragment stands in SQL', () => {
  const wrong = () => [
    // @ts-expect-error a text is no fragment
    sql`SELECT ${HOSTILE}`,
    // @ts-expect-error a number is no fragment
    sql`SELECT ${7}`,
  ];
  expect(wrong).toThrow('must be a fragment');
  const lookAlike = { text: HOSTILE, is: Sql.is } as unknown as Sql;
  expect(() => sql`SELECT ${lookAlike}`).toThrow('must be a fragment');
  expect(() => joined([lookAlike])).toThrow('must be a fragment');
  expect(() => Sql.of(HOSTILE, 'duckdb', Symbol('sql'))).toThrow('tag sql');
  // In a plain template, where its quoting would be lost.
  expect(() => `${identifier('a')}`).toThrow('use the tag sql');
});

test('a fragment is refused for what it cannot hold', () => {
  expect(() => literal('a\0b')).toThrow('NUL');
  expect(() => identifier('a\0b')).toThrow('NUL');
  expect(() => integer(Number.NaN)).toThrow('whole number');
  expect(() => integer(1.5)).toThrow('whole number');
  expect(() => integer('1; DROP' as unknown as number)).toThrow('whole number');
  expect(() => numbered('c; DROP', 1)).toThrow('numbered name');
});
