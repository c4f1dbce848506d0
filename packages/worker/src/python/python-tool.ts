/** A Python interpreter and the folder with the module `svc` (and, for tasks, its dependencies). */
export interface PythonTool {
  readonly command: string;
  readonly support: string;
}

// Appended, never prepended: the project's locked packages take precedence over the service's.
const LAUNCHER =
  'import runpy, sys; sys.path.append(sys.argv.pop(1)); ' +
  "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)";

/** Arguments that run one of svc's modules, isolated from the Python settings of the environment and the user. */
export function pythonArguments(tool: PythonTool, module: string, args: readonly string[]): string[] {
  return ['-I', '-X', 'utf8', '-c', LAUNCHER, tool.support, module, ...args];
}
