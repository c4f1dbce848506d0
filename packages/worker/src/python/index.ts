export { environmentKey } from './build-environment.ts';
