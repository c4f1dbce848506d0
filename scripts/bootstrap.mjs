// node scripts/bootstrap.mjs COMMAND: prepares a fresh clone (packages, Prisma client, build, uv) as far as the command
// needs it, then runs the command. Requires only Node and npm, and prints little if nothing has to be prepared.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
if (!(major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19))) {
  console.error(
    `This is Node ${process.version}; svc needs ${manifest.engines.node}. Install such a version and try again.`,
  );
  process.exit(1);
}

const { commands } = await import('./bootstrap/commands.mjs');
const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`There is no command "${name}". The commands are: ${Object.keys(commands).join(', ')}.`);
  process.exit(1);
}
try {
  await command(args);
} catch (error) {
  // Errors marked as expected are printed without their stack.
  console.error(error.expected ? error.message : error);
  process.exitCode = 1;
}
