export { catalog } from './mount.ts';
