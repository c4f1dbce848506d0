// Prints the milliseconds until the modules that `svc cron next` bundles have given a next time.
const started = performance.now();
const { nextTimeOf } = await import('../../packages/core/dist/jobs/next-time.js');
nextTimeOf('30 2 * * *', 'Europe/Berlin', new Date('2026-03-28T12:00:00Z'));
console.log(performance.now() - started);
