// The standalone service in its own process, with a clock that its parent moves.
import { readdir, readFile } from 'node:fs/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { readSettings } from '@svc/core/settings';
import { pino } from 'pino';

/** The parent moves the clock and runs a loop once, or all, or measures the process. */
export type ProcessRequest = { to: number; tick: string | null } | 'measure';

/** Bytes, and counts of open handles. */
export interface ResourceUsage {
  heap: number;
  /** The part of the heap with compiled code: it grows for a while, but not with the amount of work. */
  code: number;
  external: number;
  resident: number;
  handles: number;
  children: number;
}

const settings = readSettings(process.env, () => '');
const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
let ahead = Number(process.argv[2]) - Date.now();
// The built service, which is what people run: its memory is measured.
const built = new URL('../../../dist/service.js', import.meta.url);
const { startService } = (await import(built.href)) as typeof import('../../service.ts');
const service = await startService(settings, log, { clock: () => new Date(Date.now() + ahead) });

async function measure(): Promise<ResourceUsage> {
  // Twice: the second run collects what finalizers release in the first.
  for (let i = 0; i < 2; i++) {
    globalThis.gc!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed: heap, external, rss: resident } = process.memoryUsage();
  const threads = await readdir('/proc/self/task');
  const children = await Promise.all(threads.map((id) => readFile(`/proc/self/task/${id}/children`, 'utf8')));
  const { code_and_metadata_size: machine, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return {
    heap,
    code: machine + bytecode,
    external,
    resident,
    handles: (await readdir('/proc/self/fd')).length,
    children: children.join(' ').split(' ').filter(Boolean).length,
  };
}

async function answer(message: ProcessRequest): Promise<unknown> {
  if (message === 'measure') return measure();
  ahead = Math.max(ahead, message.to - Date.now());
  await service.tick(message.tick ?? undefined);
  return null;
}

process.on('message', async (message: ProcessRequest) => process.send!({ answer: await answer(message) }));
const stop = async () => {
  await service.stop();
  process.exit(0);
};
process.once('SIGTERM', stop);
// The parent was killed.
process.once('disconnect', stop);
process.send!(service.url);
