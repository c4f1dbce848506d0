import { eventValue } from './event-value.ts';

test.each([
  ['reason', null, { kind: 'none' }],
  ['rows', 12, { kind: 'text', text: '12' }],
  ['protected', false, { kind: 'text', text: 'false' }],
  ['changed', ['owner', 'name'], { kind: 'text', text: 'owner, name' }],
  ['changed', [], { kind: 'none' }],
  ['sql_text', 'SELECT 1', { kind: 'code', text: 'SELECT 1' }],
  ['error', 'a\nb', { kind: 'code', text: 'a\nb' }],
  ['watermark', { hidden: true }, { kind: 'hidden', text: 'hidden' }],
  ['sql_text', { sha256: 'ab', length: 8 }, { kind: 'hidden', text: '8 characters, SHA-256 ab' }],
  ['retention', { days: 3 }, { kind: 'code', text: '{\n  "days": 3\n}' }],
])('%s of %j', (field, value, shown) => expect(eventValue(field, value)).toEqual(shown));
