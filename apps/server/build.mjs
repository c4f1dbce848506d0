import { bundleApp } from '../../scripts/bundle-app.mjs';

export default () => bundleApp('server');
