import type { Isolation } from '../isolation/index.ts';
import { findEnforcement, type Limited, type TaskLimits } from '../limits/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';

const NONE: TaskLimits = { memory: null, processes: null, open_files: null, disk: null };

/** Detects how this machine enforces the limits of tasks. Errors of the limits themselves fail the test. */
export async function limitedHere(
  isolation: Isolation,
  python: InstalledTool | null,
  limits: Partial<TaskLimits> = {},
): Promise<Pick<Limited, 'enforcement' | 'id' | 'periodMs' | 'onError'>> {
  const enforcement = await findEnforcement({
    limits: { ...NONE, ...limits },
    isolation,
    python,
    platform: process.platform,
    account: process.getuid?.(),
  });
  return {
    enforcement,
    id: `${process.pid}-${process.hrtime.bigint()}`,
    periodMs: 20,
    onError(error) {
      throw error;
    },
  };
}
