/** A Python interpreter and the folder that holds the module `svc` (and, for tasks, what it needs). */
export interface PythonTool {
  readonly command: string;
  readonly support: string;
}

// Appended, never prepended: what the project has locked comes before what the service brings along.
const LAUNCHER =
  'import runpy, sys; sys.path.append(sys.argv.pop(1)); ' +
  "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)";

/** Arguments that run one of svc's modules, isolated from the environment's and the user's Python settings. */
export function pythonArguments(tool: PythonTool, module: string, args: readonly string[]): string[] {
  return ['-I', '-X', 'utf8', '-c', LAUNCHER, tool.support, module, ...args];
}
