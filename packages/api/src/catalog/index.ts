export { catalog } from './protocol/mount.ts';
