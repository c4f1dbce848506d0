export { logFile, readLogFile, writeLogFile } from './log-files.ts';
