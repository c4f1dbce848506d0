import { commitFiles, scanFiles } from '../index.ts';
import { TableFixture } from '../testing/table-fixture.ts';

test.each(['ünn', '日n', 'Ånn'])('a manifest whose partition field an engine named %s is read', async (name) => {
  const t = await TableFixture.create([{ name: 'ü', type: 'string' }]);
  const spec = { 'spec-id': 1, fields: [{ 'source-id': 1, 'field-id': 1000, name: 'ü', transform: 'identity' }] };
  const { metadata } = t.state;
  const specs = [...metadata['partition-specs'], spec];
  t.state = { ...t.state, metadata: { ...metadata, 'partition-specs': specs, 'default-spec-id': 1 } };
  const file = { ...(await t.fakeFile()), partition: { _xFC: 'a' }, spec_id: 1 };
  await commitFiles({ ...t, load: t.load, swap: t.swap, schemaId: 0, mode: 'append', files: [file], now: 2000 });
  for (const [location, bytes] of t.files) {
    const renamed = bytes.toString('latin1').replaceAll('"_xFC"', Buffer.from(`"${name}"`).toString('latin1'));
    t.files.set(location, Buffer.from(renamed, 'latin1'));
  }
  const { files } = await scanFiles(t.store, t.state.metadata);
  expect(files.map(({ constants }) => constants)).toEqual([new Map([[1, 'a']])]);
});
