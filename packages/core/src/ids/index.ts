export { idSource, isUuid, pooled } from './uuid.ts';
