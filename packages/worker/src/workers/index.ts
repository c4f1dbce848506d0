export { removeReport, reportLoop } from './report.ts';
