export { executeQuery } from './execute-query.ts';
