export * from './cron.ts';
export * from './next-time.ts';
export { isKnownZone, likelyZone, localText, zoneDatabaseVersion } from './zones.ts';
