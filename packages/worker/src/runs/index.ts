export { executeRun } from './execute-run.ts';
export { type ChildOptions, type ChildResult, runChild } from './programs/child-process.ts';
export { type FoundTool, findPython, findUv, noPython, noUv } from './programs/find-tools.ts';
export {
  type BuiltEnvironment,
  buildEnvironment,
  type EnvironmentOptions,
  environmentKey,
} from './python/build-environment.ts';
export { prepareSupport, type SupportOptions } from './python/prepare-support.ts';
export { type PreparedPython, type PythonWork, preparePython } from './python/python-environment.ts';
export type { PythonTask, PythonTaskResult } from './python/python-task.ts';
export { type PythonTool, pythonArguments } from './python/python-tool.ts';
export { runPythonTask } from './python/run-python-task.ts';
export type { BuildIndex, UvOptions } from './python/uv-process.ts';
export { RunError } from './run-error.ts';
