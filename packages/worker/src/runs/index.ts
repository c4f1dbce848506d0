export {
  type BuiltEnvironment,
  buildEnvironment,
  type EnvironmentOptions,
  environmentKey,
} from './build-environment.ts';
export { type ChildOptions, type ChildResult, runChild } from './child-process.ts';
export { executeRun } from './execute-run.ts';
export { type FoundTool, findPython, findUv, noPython, noUv } from './find-tools.ts';
export { prepareSupport, type SupportOptions } from './prepare-support.ts';
export { type PreparedPython, type PythonWork, preparePython } from './python-environment.ts';
export { type PythonTool, pythonArguments } from './python-tool.ts';
export { RunFailure } from './run-failure.ts';
export { type PythonTask, type PythonTaskResult, runPythonTask } from './run-python-task.ts';
export type { BuildIndex, UvOptions } from './uv-process.ts';
