// npm run dev: compiles after every change and restarts the service when its compiled files have changed.
import { spawn } from 'node:child_process';
import { watchFile } from 'node:fs';
import { join } from 'node:path';
import { context } from 'esbuild';
import { engineProcess } from '../packages/lake/build.mjs';
import { build } from './bootstrap/prepare.mjs';
import { root } from './bootstrap/stamp.mjs';

const start = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
const compiler = start(join(root, 'node_modules/typescript/bin/tsc'), '-b', '--watch', '--preserveWatchOutput');
const service = start('--watch', '--watch-preserve-output', 'apps/standalone/dist/main.js', ...process.argv.slice(2));
await (await context(engineProcess)).watch();

watchFile(join(root, 'prisma/schema.prisma'), () => {
  build('prisma-client').catch((error) => console.error(error.message));
});

// The service may need a moment to stop; exit only after it.
const stop = () => {
  compiler.kill();
  service.kill('SIGTERM');
};
process.on('SIGINT', stop).on('SIGTERM', stop);
service.on('exit', (code) => {
  compiler.kill();
  process.exit(code ?? 0);
});
