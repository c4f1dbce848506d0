// npm run bench NAME …: runs bench/NAME/index.ts against the built packages; without a name, runs all of them in order.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inForeground } from './bootstrap/run.mjs';
import { root } from './bootstrap/stamp.mjs';

const entry = (name) => join(root, 'bench', name, 'index.ts');
const known = readdirSync(join(root, 'bench')).filter((name) => existsSync(entry(name)));
const [selected, ...args] = process.argv.slice(2);
if (selected && !known.includes(selected)) {
  console.error(`There is no benchmark "${selected}". There are: ${known.join(', ') || 'none yet'}.`);
  process.exit(1);
}
for (const name of selected ? [selected] : known) {
  const code = await inForeground(process.execPath, ['--import', './scripts/typescript.mjs', entry(name), ...args]);
  if (code !== 0) process.exitCode = code;
}
