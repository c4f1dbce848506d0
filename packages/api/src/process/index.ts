export { type ApiOptions, type RunningApi, startApi } from './start-api.ts';
