import {
  columnsOf,
  csvOptionsOf,
  formatOf,
  loadCommand,
  nameError,
  newTableCommands,
  renamesOf,
  sampleOf,
  tableNameOf,
} from './upload-file.ts';

test.each([
  ['Orders.CSV', 'Orders'],
  ['a.b/orders-2024.jsonl.gz', 'a_b_orders_2024'],
  ['2024.parquet', '_2024'],
  ['<img src=x>.csv.zst', 'img_src_x'],
  ['売上.csv', 'data'],
  [`${'x'.repeat(200)}.csv`, 'x'.repeat(128)],
])('the file %s is loaded into %s', (file, table) => expect(tableNameOf(file)).toBe(table));

test('the format is that of the extension, and another extension is an error', () => {
  expect(formatOf({ name: 'a.jsonl.gz' })).toBe('ndjson');
  expect(() => formatOf({ name: 'notes.txt' })).toThrow('The format of notes.txt is unknown.');
});

test('the sample is the first whole lines of a text and the end of Parquet', async () => {
  const line = `${'x'.repeat(999)}\n`;
  expect(new TextDecoder().decode(await sampleOf(new Blob([line.repeat(9000)]), 'csv'))).toBe(line.repeat(8388));
  const end = await sampleOf(new Blob([new Uint8Array(9_000_000), 'end']), 'parquet');
  expect([end.length, new TextDecoder().decode(end.slice(-3))]).toEqual([8 * 1024 * 1024, 'end']);
});

test('columns are created with the names of the file, and renamed afterwards', () => {
  const drafts = [
    { source: 'a', name: 'id', type: 'long', nullable: false },
    { source: 'b', name: 'b', type: 'string', nullable: true },
  ];
  expect(columnsOf(drafts)).toEqual([
    { name: 'a', type: 'long', nullable: false },
    { name: 'b', type: 'string', nullable: true },
  ]);
  expect(renamesOf(drafts)).toEqual({ a: 'id' });
  expect(nameError(drafts)).toBeNull();
  expect(nameError([...drafts, { source: 'c', name: 'ID', type: 'int', nullable: true }])).toBe(
    'Two columns are named "ID".',
  );
  expect(nameError([{ source: 'c', name: ' ', type: 'int', nullable: true }])).toBe('The column "c" needs a name.');
});

test('a detected dialect becomes the options of the load', () => {
  const dialect = {
    delimiter: ';',
    quote: '',
    header: true,
    null_text: '',
    decimal_separator: ',' as const,
    date_format: null,
    timestamp_format: null,
    encoding: 'utf-8' as const,
  };
  expect(csvOptionsOf(dialect)).toEqual({
    delimiter: ';',
    quote: '',
    header: true,
    null_text: '',
    decimal_separator: ',',
    encoding: 'utf-8',
  });
  expect(csvOptionsOf(null)).toBeUndefined();
});

test('the commands create, load and rename what was edited', () => {
  const names = { env: 'dev', table: 'sales.new', file: 'my file.csv' };
  const inferred = ['a', 'b'].map((source) => ({ source, name: source, type: 'long', nullable: true }));
  expect(newTableCommands(names, inferred, inferred)).toEqual([
    "svc table load sales.new 'my file.csv' --env dev --create",
  ]);
  const edited = [{ source: 'a', name: 'id', type: 'int', nullable: false }, inferred[1]!];
  expect(newTableCommands(names, edited, inferred)).toEqual([
    "svc table create sales.new --env dev --from 'my file.csv' --column 'a:int!'",
    "svc table load sales.new 'my file.csv' --env dev",
    'svc table alter sales.new --env dev --rename a=id',
  ]);
});

test('the command of a load has its mode, its key and what happens to broken lines', () => {
  const names = { env: 'dev', table: 'sales.orders', file: '-x.csv' };
  expect(loadCommand(names, { mode: 'append', key: ['id'], skips: false })).toBe(
    'svc table load --env dev -- sales.orders -x.csv',
  );
  expect(loadCommand({ ...names, file: 'x.csv' }, { mode: 'merge', key: ['id', 'a b'], skips: true })).toBe(
    "svc table load sales.orders x.csv --env dev --mode merge --key id --key 'a b' --on-error skip",
  );
});
