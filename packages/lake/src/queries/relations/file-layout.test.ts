import { UnsupportedTableError } from '@svc/iceberg';
import { sql } from '../sql-text.ts';
import { bareSql, hostileTexts, MARK } from '../testing/odd-values.ts';
import { FieldSql } from './field-sql.ts';
import { readLayouts } from './file-layout.ts';
import { managedSql } from './managed-sql.ts';

type Row = readonly (string | null)[];

/** The engine's description of an element of a file's schema. */
const element = (name: string, { id = null as string | null, children = null as string | null } = {}): Row => [
  '/w/f.parquet',
  name,
  id,
  children,
  'OPTIONAL',
  null,
  null,
  children === null ? 'BIGINT' : null,
];
const layoutOf = (rows: readonly Row[]) => readLayouts(rows).get('/w/f.parquet')!;

test('names of columns in a footer stay names', async () => {
  const texts = hostileTexts('/etc/passwd').filter((text) => text !== '');
  for (const text of texts) {
    const layout = layoutOf([
      element('schema', { children: '2' }),
      element(text, { id: '1' }),
      element('s', { id: '2', children: '1' }),
      element(text, { id: '3' }),
    ]);
    const inner = [{ id: 3, name: 'x', required: false, type: 'long' }];
    const relation = {
      fields: [
        { id: 1, name: 'n', required: false, type: 'long' },
        { id: 2, name: 's', required: false, type: { type: 'struct' as const, fields: inner } },
      ],
      files: [{ location: 'file:///w/f.parquet', rows: 1, bytes: 1, deletes: [] }],
    };
    const access = {
      localPath: async () => '/w/f.parquet',
      layouts: async () => new Map([['/w/f.parquet', layout]]),
    };
    const planned = managedSql(relation, access).then(({ sql }) => bareSql(sql.text));
    if (text.includes('\0')) await expect(planned).rejects.toThrow(UnsupportedTableError);
    else expect(await planned).not.toContain(MARK);
  }
});

test('a footer that nests without end, or counts what is not there, is refused', () => {
  const deep = Array.from({ length: 100_000 }, () => element('s', { children: '1' }));
  for (const rows of [
    deep.slice(0, 1000),
    [...deep, element('n')],
    [element('schema', { children: '-1' }), element('n', { children: '-5' })],
    [element('schema', { children: '1' })],
    [element('schema', { children: '1' }), element('s', { children: '999999999' })],
  ])
    expect(() => layoutOf(rows).columns.map(({ name }) => name)).toThrow(/Unsupported|data file/);
});

test.each(['4294967296', '1e9', 'Infinity', '-1', 'NaN', '7'])(
  'a group of %s members has more than its file',
  (count) => {
    const rows = (root: string, group: string) => [
      element('schema', { children: root }),
      element('s', { id: '1', children: group }),
      element('x', { id: '2' }),
    ];
    expect(layoutOf(rows('1', '1')).columns).toHaveLength(1);
    for (const [root, group] of [
      [count, '1'],
      ['1', count],
    ] as const)
      expect(() => layoutOf(rows(root, group))).toThrow('is damaged');
  },
);

test.each(['constructor', '__proto__', 'toString', 'BIGINT UNSIGNED'])(
  'a column of the type %s in a footer is not read as an integer',
  (type) => {
    const [, ...rest] = element('n', { id: '1' });
    const layout = layoutOf([element('schema', { children: '1' }), ['/w/f.parquet', ...rest.slice(0, -1), type]]);
    const field = { id: 1, name: 'n', required: false, type: 'long' };
    expect(() => new FieldSql(layout, { mapping: null, unskippable: new Set() }).value(field, sql`t`)).toThrow(
      UnsupportedTableError,
    );
  },
);
