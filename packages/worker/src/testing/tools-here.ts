import { findPython, findUv, type InstalledTool } from '../programs/find-tools.ts';

/** uv and Python as a worker would find them on this machine; null for one that it lacks. */
export async function toolsHere(): Promise<{ uv: InstalledTool | null; python: InstalledTool | null }> {
  const path = process.env['PATH'] ?? '';
  const uv = await findUv(
    [process.env['SVC_RUN__UV'], 'uv'].filter((name) => name !== undefined),
    path,
  );
  return { uv, python: await findPython(null, uv, path) };
}
