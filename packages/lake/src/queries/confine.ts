import path from 'node:path';
import type { EngineChild } from './child-process.ts';
import type { SandboxLimits } from './sandbox.ts';
import { literal, literals } from './sql-text.ts';

/**
 * Share of the process's memory that the engine plans with. The rest is for the process itself and what the engine does
 * not count: measured, a sort that spills stays within its limit plus some 200 MB.
 */
const ENGINE_SHARE = 0.5;

/**
 * From here on the child's engine reads these files, writes below this folder, spills into its own folder, and touches
 * nothing else. `lock` makes that final.
 *
 * @param then statements to run right after
 */
export async function confine(
  child: EngineChild,
  limits: SandboxLimits,
  files: readonly string[],
  outputDir: string | null,
  then: readonly string[] = [],
): Promise<void> {
  const settings = [
    `SET memory_limit = '${Math.floor((limits.memoryLimit * ENGINE_SHARE) / 1024)}KiB'`,
    `SET temp_directory = ${literal(path.join(child.dir, 'spill'))}`,
    `SET max_temp_directory_size = '${Math.floor(limits.tempLimit / 1024)}KiB'`,
    `SET allowed_paths = ${literals(files)}`,
    `SET allowed_directories = ${literals(outputDir === null ? [] : [`${outputDir}${path.sep}`])}`,
    'SET enable_external_access = false',
  ];
  await child.ask({ op: 'run', statements: [settings.join('; '), ...then] });
}

/** No setting can be changed any more, by anyone. */
export async function lock(child: EngineChild): Promise<void> {
  await child.ask({ op: 'run', statements: ['SET lock_configuration = true'] });
}
