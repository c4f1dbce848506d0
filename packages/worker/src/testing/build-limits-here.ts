import type { Isolation } from '../isolation/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import type { BuildLimits } from '../python/build-limits.ts';
import { limitedHere } from './limited-here.ts';

/** Limits of builds that no build of a test exceeds, unless the test sets others. */
export async function buildLimitsHere(
  isolation: Isolation,
  python: InstalledTool | null,
  limits: Partial<BuildLimits> = {},
): Promise<BuildLimits> {
  const { id, ...limited } = await limitedHere(isolation, python);
  let builds = 0;
  return { maxBytes: null, maxFiles: null, newId: () => `${id}-${builds++}`, ...limited, ...limits };
}
