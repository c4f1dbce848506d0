export { type JobFailed, jobFailed } from './body.ts';
export { MOST_TRIES, pauseAfter } from './tries.ts';
