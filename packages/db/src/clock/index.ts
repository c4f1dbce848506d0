export { type ClockOptions, DatabaseClock } from './database-clock.ts';
