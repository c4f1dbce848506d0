import { columnTypeOf } from './field-types.ts';

test.each([
  ['timestamp_ns', ' Use timestamp.'],
  ['timestamptz_ns', ' Use timestamptz.'],
  ['variant', ''],
])('the type %s of a later version is refused with an alternative, if there is one', (type, alternative) => {
  const message = `svc doesn't support the column type "${type}": it has the types of Iceberg version 2.${alternative}`;
  expect(() => columnTypeOf(type)).toThrow(message);
});
