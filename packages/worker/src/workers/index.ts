export { endReports, reportLoop } from './report.ts';
