export { executeWrite } from './execute-write.ts';
