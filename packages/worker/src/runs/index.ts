export { executeRun } from './execute-run.ts';
export { type PythonWork, preparePython } from './python-environment.ts';
