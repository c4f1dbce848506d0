import * as trinoText from '../trino/trino-text.ts';
import { identifier, integer, joined, literal, literals, numbered, Sql, sql, trino, typeName } from './sql-text.ts';

const HOSTILE = `'; ATTACH 'x' --"`;

test('fragments are quoted as what they are', () => {
  const select = sql`SELECT ${identifier(HOSTILE)}, ${literal(HOSTILE)}, ${integer(7n)} FROM read(${literals(["a'b", 'c'])})`;
  expect(select.text).toBe(`SELECT "'; ATTACH 'x' --""", '''; ATTACH ''x'' --"', 7 FROM read(['a''b', 'c'])`);
  expect(joined([numbered('c', 1), numbered('c', 2)], ' AND ').text).toBe('c1 AND c2');
  const named = { kind: 'struct', fields: [{ name: '"); --', type: { kind: 'int' } }] } as const;
  expect(typeName(named).text).toBe('STRUCT("""); --" INTEGER)');
});

test('only fragments can be embedded in SQL', () => {
  const invalid = () => [
    // @ts-expect-error a text isn't a fragment
    sql`SELECT ${HOSTILE}`,
    // @ts-expect-error a number isn't a fragment
    sql`SELECT ${7}`,
  ];
  expect(invalid).toThrow('Only fragments');
  const forged = { text: HOSTILE, is: Sql.is } as unknown as Sql;
  expect(() => sql`SELECT ${forged}`).toThrow('Only fragments');
  expect(() => joined([forged])).toThrow('Only fragments');
  expect(() => Sql.of(HOSTILE, 'duckdb', Symbol('sql'))).toThrow('sql tag');
  // In a plain template, where its quoting would be lost.
  expect(() => `${identifier('a')}`).toThrow('use the sql tag');
});

test("a fragment with a value that SQL can't represent is rejected", () => {
  expect(() => literal('a\0b')).toThrow('NUL');
  expect(() => identifier('a\0b')).toThrow('NUL');
  expect(() => integer(Number.NaN)).toThrow('not an integer');
  expect(() => integer(1.5)).toThrow('not an integer');
  expect(() => integer('1; DROP' as unknown as number)).toThrow('not an integer');
  expect(() => numbered('c; DROP', 1)).toThrow('numbered name');
});

test("one engine's SQL can't be part of the other's", () => {
  const invalid = () => [
    // @ts-expect-error DuckDB's name
    trino`SELECT ${identifier('a')}`,
  ];
  expect(invalid).toThrow('Only fragments');
  // @ts-expect-error Trino's name
  expect(() => sql`SELECT ${trinoText.identifier('a')}`).toThrow('Only fragments');
  expect(Sql.is(trino`a`)).toBe(false);
});

test("fragments of Trino's SQL are quoted as what they are, or refused", () => {
  const { bytesLiteral, calling, integer: whole, quotedNumber, textLiteral } = trinoText;
  const call = calling('max', [trinoText.identifier(HOSTILE), textLiteral(HOSTILE), quotedNumber('-1.5e3')]);
  expect(call.text).toBe(`max("'; ATTACH 'x' --""", '''; ATTACH ''x'' --"', '-1.5e3')`);
  expect(textLiteral("ä'\\\u2028😀").text).toBe("U&'\\00e4''\\\\\\2028\\+01f600'");
  expect(trino`${whole(7n)} ${trinoText.numbered('x', 1)} ${bytesLiteral(Buffer.from("'"))}`.text).toBe("7 x1 X'27'");
  expect(() => calling('max(1); --', [])).toThrow('name of a function');
  expect(() => quotedNumber("1' OR '1")).toThrow('not a number');
  expect(() => quotedNumber('nan')).toThrow('not a number');
  expect(() => whole(1.5)).toThrow('not an integer');
  expect(() => trinoText.numbered('x y', 1)).toThrow('numbered name');
  expect(() => trinoText.identifier('a\0b')).toThrow('NUL');
});
