export { archiveLogs } from './archive-logs.ts';
export { executeRun } from './execute-run.ts';
export { type PythonWork, preparePython } from './python-environment.ts';
