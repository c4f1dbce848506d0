import type { TableMetadata } from '../metadata/metadata.ts';
import { foreignFilesInMetadata } from './own-files.ts';

const STORE = { root: 'file:///w' };
const check = (snapshot: object) =>
  foreignFilesInMetadata(STORE, 'file:///w/t', { snapshots: [snapshot], properties: {} } as unknown as TableMetadata);

test.each([
  [{ 'manifest-list': 'file:///w/t/m/list.avro' }],
  [{ manifests: ['file:///w/t/m/a.avro', 'file:///w/t/m/b.avro'] }],
  [{}],
])('%j has only files of its table', (snapshot) => {
  expect(check(snapshot)).toBeNull();
});

test.each([
  [{ 'manifest-list': 'file:///w/u/m/list.avro' }, 'The manifest list file:///w/u/m/list.avro is outside'],
  [{ manifests: ['file:///w/t/m/a.avro', 'file:///w/u/m/b.avro'] }, 'The manifest file:///w/u/m/b.avro is outside'],
])('%j has a file of another table', (snapshot, message) => {
  expect(check(snapshot)).toContain(message);
});
