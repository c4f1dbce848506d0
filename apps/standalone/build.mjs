import { bundleApp } from '../../scripts/bundle-app.mjs';

export default () => bundleApp('standalone', ['main', 'stop', 'demo', 'seed', 'admin']);
