export { idSource, isUuid } from './uuid.ts';
