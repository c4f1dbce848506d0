export { type JobFailed, jobFailed } from './body.ts';
export { MAX_ATTEMPTS, pauseAfter } from './retries.ts';
