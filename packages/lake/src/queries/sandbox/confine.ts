import path from 'node:path';
import { identifier, integer, joined, literal, sql } from '../sql-text.ts';
import type { EngineChild } from './child-process.ts';
import { confining } from './confining.ts';
import type { SandboxLimits } from './limits.ts';
import { ENGINE_THREADS, engineLimits } from './limits.ts';

interface Confinement {
  readonly files: readonly string[];
  readonly outputDir: string | null;
  /** Number of threads, if fewer than the limits allow are enough. */
  readonly threads?: number;
}

/**
 * Confines a fresh engine of the child permanently: it reads these files, writes below this folder, spills into its own folder,
 * has no other access, and locks its settings. Everything that depends on a statement, a view, a policy or a table
 * comes afterwards.
 *
 * @throws EngineError
 */
export async function confine(
  child: EngineChild,
  limits: SandboxLimits,
  { files, outputDir, threads = limits.threads }: Confinement,
): Promise<void> {
  const started = engineLimits(child.limits);
  const wanted = engineLimits(limits);
  const names = ['memory_limit', 'max_temp_directory_size'] as const;
  const settings = [
    // The engine was opened with its process's thread count.
    ...(threads === ENGINE_THREADS ? [] : [sql`SET threads = ${integer(threads)}`]),
    ...names
      .filter((name) => wanted[name] !== started[name])
      .map((name) => sql`SET ${identifier(name)} = ${literal(wanted[name])}`),
    confining(files, outputDir === null ? [] : [`${outputDir}${path.sep}`]),
  ];
  await child.engines.confine(joined(settings, '; ').text);
}
