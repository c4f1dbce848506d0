/** Numbers from a seed, so that a failing history can be run again (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Part of every hostile text: if it is outside a literal, the text became SQL. */
export const MARK = 'svc_hostile';

/** @param secret a file that no statement may read */
export const hostileTexts = (secret: string): readonly string[] => [
  `'; ATTACH '${secret}' AS ${MARK}; --`,
  `0::BIGINT, NULL, NULL)) ${MARK}(a, b, c, d); COPY (SELECT 1) TO '/tmp/${MARK}'; --`,
  `1) UNION ALL SELECT content AS ${MARK} FROM read_text('${secret}') --`,
  `") UNION ALL SELECT content AS ${MARK} FROM read_text('${secret}') --`,
  `0 IN (SELECT 1 AS ${MARK} FROM read_text('${secret}'))`,
  `${MARK}'' OR '1'='1`,
  `${MARK}\0'; DROP VIEW lake.t; --`,
  `${MARK}\n;\nSET lock_configuration = false;\n--`,
  `../${MARK}`,
  `%2e%2e/${MARK}`,
  `${MARK}*?[a-z]{b}`,
  `ſ${MARK}\u212A İ Ａ＇；`,
  `\ud800${MARK}`,
  `/*${MARK}`,
  `$$${MARK}$$`,
  '',
  '__proto__',
  '-1',
  '1e400',
];

/** Values and the Avro types that carry them. */
export const oddAvro = (texts: readonly string[]): readonly (readonly [type: unknown, value: unknown])[] => [
  ...texts.map((text) => ['string', text] as const),
  ...texts.slice(0, 5).map((text) => ['bytes', Buffer.from(text)] as const),
  ...texts.slice(0, 5).map((text) => [{ type: 'array', items: 'string' }, [text]] as const),
  ...texts.slice(0, 5).map((text) => [{ type: 'map', values: 'string' }, { [MARK]: text }] as const),
  [{ type: 'record', name: 'odd', fields: [{ name: 'inner', type: 'string' }] }, { inner: texts[0] }],
  [{ type: 'fixed', name: 'odd', size: 3 }, Buffer.from('abc')],
  [{ type: 'enum', name: 'odd', symbols: ['A', MARK] }, MARK],
  [['null', 'string', 'long'], texts[2]],
  [['null', 'long'], null],
  ['boolean', true],
  ['int', -1],
  ['int', 2 ** 31 - 1],
  ['long', -(2n ** 63n)],
  ['long', 2n ** 63n - 1n],
  ['long', 2n ** 53n + 1n],
  ['double', Number.NaN],
  ['double', Number.NEGATIVE_INFINITY],
  ['float', 1.5],
];

export const oddJson = (texts: readonly string[]): readonly unknown[] => [
  ...texts,
  null,
  true,
  -1,
  7.5,
  2 ** 31,
  2n ** 63n,
  2n ** 80n,
  [],
  [texts[2]],
  [[]],
  {},
  { type: texts[2] },
  { [texts[3]!]: texts[0] },
];

/**
 * What is left of SQL without its literals and quoted names. A quote that is not closed leaves everything behind it.
 */
export const bareSql = (sql: string): string => sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ');
