import { findPython, type InstalledTool } from '../programs/find-tools.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { exists } from './project-folder.ts';

/**
 * The interpreters each worker has found, by version request. Running the programs takes longer than the rest of a
 * task's preparation.
 */
const known = new WeakMap<object, Map<string | null, InstalledTool>>();

/** Finds the interpreter for a version request. The result is cached until the interpreter is removed. */
export async function pythonOf(deps: Pick<WorkerDeps, 'uv'>, request: string | null): Promise<InstalledTool | null> {
  const key = deps.uv ?? deps;
  const found = known.get(key) ?? new Map<string | null, InstalledTool>();
  known.set(key, found);
  const before = found.get(request);
  if (before !== undefined && (await exists(before.command))) return before;
  const python = await findPython(request, deps.uv, process.env['PATH'] ?? '');
  if (python !== null) found.set(request, python);
  return python;
}
