import { availableParallelism } from 'node:os';
import { parseBytes, type Settings } from '@svc/core/settings';

/** How much one query or load may use. */
export type SandboxLimits = {
  /** Bytes of the process's own memory; past it the process is killed. The engine itself spills to disk earlier. */
  readonly memoryLimit: number;
  readonly timeoutMs: number;
  /** Threads of one child at most. */
  readonly threads: number;
  /** Bytes one child may spill to disk. */
  readonly tempLimit: number;
};

/** What one query may use, by the operator's settings. */
export function sandboxLimits(settings: Settings): SandboxLimits {
  return {
    memoryLimit: parseBytes(settings.queryMemoryLimit),
    tempLimit: parseBytes(settings.queryTempLimit),
    timeoutMs: settings.queryTimeoutSeconds * 1000,
    threads: settings.queryThreads === 0 ? availableParallelism() : settings.queryThreads,
  };
}

/** Threads that an engine is opened with. Two cost what reads little more than they save; the others are added as it is confined. */
export const ENGINE_THREADS = 1;

/**
 * Share of the process's memory that the engine plans with. The rest is for the process itself and what the engine does
 * not count: measured, a sort that spills within 300 MiB has some 500 MiB of its own at most.
 */
const ENGINE_SHARE = 0.5;

/** What an engine may use at most, as its settings have it. */
export const engineLimits = (limits: SandboxLimits) => ({
  memory_limit: `${Math.floor((limits.memoryLimit * ENGINE_SHARE) / 1024)}KiB`,
  max_temp_directory_size: `${Math.floor(limits.tempLimit / 1024)}KiB`,
});
