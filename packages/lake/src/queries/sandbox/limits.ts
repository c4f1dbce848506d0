import { availableParallelism } from 'node:os';
import { parseBytes, type Settings } from '@svc/core/settings';

/** Resource limits for one query or load. */
export type SandboxLimits = {
  /**
   * Bytes of the process's own memory; a process that exceeds it is killed. The engine itself spills to disk earlier.
   */
  readonly memoryLimit: number;
  readonly timeoutMs: number;
  /** Maximum number of threads of one child. */
  readonly threads: number;
  /** Maximum number of bytes that one child may spill to disk. */
  readonly tempLimit: number;
};

/** The limits of one query, from the operator's settings. */
export function sandboxLimits(settings: Settings): SandboxLimits {
  return {
    memoryLimit: parseBytes(settings.queryMemoryLimit),
    tempLimit: parseBytes(settings.queryTempLimit),
    timeoutMs: settings.queryTimeoutSeconds * 1000,
    threads: settings.queryThreads === 0 ? availableParallelism() : settings.queryThreads,
  };
}

/**
 * Threads that an engine is opened with. A second one costs small reads more than it saves; the others are added when
 * it is confined.
 */
export const ENGINE_THREADS = 1;

/**
 * Share of the process's memory that the engine plans with. The rest is for the process itself and memory that the
 * engine doesn't count: measured, a sort that spills within 300 MiB uses at most some 500 MiB in total.
 */
const ENGINE_SHARE = 0.5;

/** The engine's limits, as DuckDB settings. */
export const engineLimits = (limits: SandboxLimits) => ({
  memory_limit: `${Math.floor((limits.memoryLimit * ENGINE_SHARE) / 1024)}KiB`,
  max_temp_directory_size: `${Math.floor(limits.tempLimit / 1024)}KiB`,
});
