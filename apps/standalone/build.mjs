import { bundleApp } from '../../scripts/build/bundle-app.mjs';

await bundleApp('standalone', ['main', 'stop', 'demo', 'seed', 'admin']);
