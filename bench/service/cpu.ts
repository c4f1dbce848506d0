import { readFileSync } from 'node:fs';
import { descendants } from './service.ts';

/** Linux reports times in these units. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process, its children and theirs have used, including children that have exited. */
export function cpuSeconds(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, one) => sum + ticksOf(one), 0) / TICKS_PER_SECOND;
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // User and system time of the process, then of its children that have exited; the fields follow the name in parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}
