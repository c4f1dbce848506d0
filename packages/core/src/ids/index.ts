export { isUuid, uuidv7 } from './uuid.ts';
