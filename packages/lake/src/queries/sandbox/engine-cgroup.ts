import { readFileSync, rmdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './is-alive.ts';

const PREFIX = 'svc-query-';
/** Files that the process reads count as its memory too, until the kernel drops them. */
const MARGIN = 256 * 1024 * 1024;

/**
 * The cgroup of one query process, which creates and enters it before it starts (restricted.ts). In it, the kernel enforces the limit of
 * memory, also between two looks of the watchdog.
 */
export class EngineCgroup {
  private readonly folder: string;

  /** @param base the folder that is delegated to this service */
  constructor(base: string, pid: number) {
    this.folder = path.join(base, `${PREFIX}${pid}`);
  }

  async limit(memory: number): Promise<void> {
    await fs.writeFile(path.join(this.folder, 'memory.max'), String(memory + MARGIN));
  }

  /** Whether the kernel killed the process because of its memory. */
  ranOut(): boolean {
    try {
      return /^oom_kill [1-9]/m.test(readFileSync(path.join(this.folder, 'memory.events'), 'utf8'));
    } catch {
      return false;
    }
  }

  /** After the process has exited. */
  remove(): void {
    try {
      rmdirSync(this.folder);
    } catch {
      // The sweep removes it, if it is there.
    }
  }
}

/** Removes what killed services left. */
export async function sweepEngineCgroups(base: string): Promise<void> {
  for (const name of await fs.readdir(base)) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length)))) continue;
    await fs.rmdir(path.join(base, name)).catch(() => undefined);
  }
}
