import { csvWriter } from './csv-lines.ts';

const COLUMNS = [
  { name: '=a', type: 'string' },
  { name: 'd', type: 'decimal(10,2)' },
  { name: 'b', type: 'binary' },
  { name: 'l', type: 'list<string>' },
];
const ROW = ['=HYPERLINK("x")', '-12.50', '+abc', ['=1']];

test('text and names that start like a formula have an apostrophe before them (QUERY-22)', () => {
  const csv = csvWriter(COLUMNS, { raw: false });
  expect(csv.header).toBe("'=a,d,b,l\r\n");
  expect(csv.line(ROW)).toBe(`"'=HYPERLINK(""x"")",-12.50,+abc,"[""=1""]"\r\n`);
});

test('raw CSV has exact values (QUERY-22)', () => {
  const csv = csvWriter(COLUMNS, { raw: true });
  expect(csv.header + csv.line(ROW)).toBe('=a,d,b,l\r\n"=HYPERLINK(""x"")",-12.50,+abc,"[""=1""]"\r\n');
});
