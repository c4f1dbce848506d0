#!/usr/bin/env node
// CommonJS, for Node starts it some 20 ms sooner than a module.
const [first] = process.argv.slice(2);
if (first === '--version' || first === '-v') {
  const { version } = require('../package.json');
  process.stdout.write(`svc ${version} node-${process.version}\n`);
} else {
  process.env.NODE_ENV ??= 'production';
  require('./load.cjs')(require.resolve('../dist/bundle/main.cjs')).main();
}
