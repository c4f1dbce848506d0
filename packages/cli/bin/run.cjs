#!/usr/bin/env node
// CommonJS because Node starts it about 20 ms sooner than an ES module.
const [first] = process.argv.slice(2);
if (first === '--version' || first === '-v') {
  const { version } = require('../package.json');
  process.stdout.write(`svc ${version} node-${process.version}\n`);
} else {
  process.env.NODE_ENV ??= 'production';
  require('./load.cjs')(require.resolve('../dist/bundle/main.cjs')).main();
}
