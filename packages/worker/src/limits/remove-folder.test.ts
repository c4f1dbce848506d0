import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

test('folders without permissions and of endless depth are removed', async () => {
  const base = mkdtempSync(join(tmpdir(), 'svc-remove-'));
  const folder = join(base, 'task');
  mkdirSync(join(folder, 'closed/in'), { recursive: true });
  writeFileSync(join(folder, 'closed/in/file'), '');
  chmodSync(join(folder, 'closed/in'), 0);
  const before = process.cwd();
  process.chdir(folder);
  for (let i = 0; i < 120; i++) {
    mkdirSync('x'.repeat(100));
    process.chdir('x'.repeat(100));
  }
  process.chdir(before);
  await removeFolder(folder);
  expect(readdirSync(base)).toEqual([]);
  rmdirSync(base);
});
