import { bundleApp } from '../../scripts/build/bundle-app.mjs';

await bundleApp('worker');
