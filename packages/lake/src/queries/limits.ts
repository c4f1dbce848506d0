import { availableParallelism } from 'node:os';
import { parseBytes, type Settings } from '@svc/core/settings';
import type { SandboxLimits } from './sandbox.ts';

/** What one query may use, by the operator's settings. */
export function sandboxLimits(settings: Settings): SandboxLimits {
  return {
    memoryLimit: parseBytes(settings.queryMemoryLimit),
    tempLimit: parseBytes(settings.queryTempLimit),
    timeoutMs: settings.queryTimeoutSeconds * 1000,
    threads: settings.queryThreads === 0 ? availableParallelism() : settings.queryThreads,
  };
}
