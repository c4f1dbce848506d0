#!/usr/bin/env node
import module from 'node:module';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-v') {
  const { version } = module.createRequire(import.meta.url)('../package.json');
  process.stdout.write(`svc ${version} node-${process.version}\n`);
} else {
  // Newer Node keeps what it has compiled.
  module.enableCompileCache?.();
  process.env.NODE_ENV ??= 'production';
  const { main } = await import('../dist/bundle/main.js');
  await main();
}
