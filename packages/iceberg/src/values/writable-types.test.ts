import { type IcebergType, requireWritable } from '../index.ts';

const fixed: IcebergType = 'fixed[4]';
const list: IcebergType = { type: 'list', 'element-id': 2, element: fixed, 'element-required': false };

test.each<[string, IcebergType, boolean]>([
  ['uuid', 'uuid', true],
  ['binary', 'binary', true],
  ['fixed', fixed, false],
  ['a list of fixed', list, false],
  ['a struct with it', { type: 'struct', fields: [{ id: 3, name: 'in', required: false, type: list }] }, false],
])('%s', (_, type, writable) => {
  const check = () => requireWritable([{ id: 1, name: 'x', required: false, type }]);
  if (writable) check();
  else expect(check).toThrow('"x"');
});
