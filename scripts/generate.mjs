// Writes the generated references and code, or with --check fails if one of them is out of date. With names, only those.
// Each scripts/generate/NAME.mjs registers files: `export default [{ file, generate }]`, where `generate` returns the
// text of `file` (a path below the root). Run with --import ./scripts/typescript.mjs --conditions=@svc/source.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const registered = new URL('./generate/', import.meta.url);
const check = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const names = existsSync(registered) ? readdirSync(registered).filter((entry) => entry.endsWith('.mjs')) : [];
const unknown = wanted.find((name) => !names.includes(`${name}.mjs`));
if (unknown) throw new Error(`scripts/generate has no ${unknown}.mjs.`);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name.replace('.mjs', ''));
for (const name of names.filter(isWanted).sort()) {
  const { default: outputs } = await import(new URL(name, registered).href);
  for (const { file, generate } of outputs) await writeGenerated(join(root, file), file, await generate());
}

async function writeGenerated(path, file, text) {
  if (readOr(path) === text) return;
  if (check) {
    console.error(`${file} is out of date. Run "npm run generate" and review the changes.`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${file}`);
}

function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
