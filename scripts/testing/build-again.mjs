// Transpiles and bundles everything with the Node that runs this, as the first `npm start` of a clone does.
import { transpile } from '../bootstrap/prepare.mjs';
import { unstamp } from '../bootstrap/stamp.mjs';

unstamp('build');
unstamp('transpile');
await transpile();
console.log(`Node ${process.versions.node}: built`);
