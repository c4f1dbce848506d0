export { startStaging } from './start-staging.ts';
