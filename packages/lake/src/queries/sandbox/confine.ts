import path from 'node:path';
import { literals } from '../sql-text.ts';
import type { EngineChild } from './child-process.ts';
import type { SandboxLimits } from './limits.ts';
import { ENGINE_THREADS, engineLimits } from './limits.ts';

interface Confinement {
  readonly files: readonly string[];
  readonly outputDir: string | null;
  /** Threads, where fewer than the limits allow serve as well. */
  readonly threads?: number;
}

/** Statement after which the engine reads these files, writes below this folder, spills into its own, and touches nothing else. */
function confinement(
  child: EngineChild,
  limits: SandboxLimits,
  { files, outputDir, threads = limits.threads }: Confinement,
): string {
  const started = engineLimits(child.limits);
  const asked = engineLimits(limits);
  const names = ['memory_limit', 'max_temp_directory_size'] as const;
  const settings = [
    // The engine was opened with those of its process.
    ...(threads === ENGINE_THREADS ? [] : [`SET threads = ${threads}`]),
    ...names.filter((name) => asked[name] !== started[name]).map((name) => `SET ${name} = '${asked[name]}'`),
    `SET allowed_paths = ${literals(files)}`,
    `SET allowed_directories = ${literals(outputDir === null ? [] : [`${outputDir}${path.sep}`])}`,
    'SET enable_external_access = false',
  ];
  return settings.join('; ');
}

/** No setting can be changed any more, by anyone. */
const LOCK = 'SET lock_configuration = true';

/**
 * Confines the engine of a child for good.
 *
 * @param between statements to run before the settings are final
 * @throws EngineFailure whose `statement` counts from the first of `between`
 */
export async function confine(
  child: EngineChild,
  limits: SandboxLimits,
  { between = [], ...confined }: Confinement & { readonly between?: readonly string[] },
): Promise<void> {
  const settings = confinement(child, limits, confined);
  await child.ask({ op: 'confine', settings, between, lock: LOCK });
}
