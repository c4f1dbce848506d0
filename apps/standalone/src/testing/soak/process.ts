// The standalone service in a process of its own, under a clock that its parent moves.
import { readdir, readFile } from 'node:fs/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { readSettings } from '@svc/core/settings';
import { pino } from 'pino';

/** The parent moves the clock and runs a loop once, or all, or measures the process. */
export type ProcessRequest = { to: number; tick: string | null } | 'measure';

/** Bytes, and counts of what is open. */
export interface Held {
  heap: number;
  /** Of the heap what the engine has compiled: more with time, and no work adds to it for ever. */
  code: number;
  external: number;
  resident: number;
  handles: number;
  children: number;
}

const settings = readSettings(process.env, () => '');
const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
let ahead = Number(process.argv[2]) - Date.now();
// As it was built, which is what people run: its memory is what is looked at.
const built = new URL('../../../dist/service.js', import.meta.url);
const { startService } = (await import(built.href)) as typeof import('../../service.ts');
const service = await startService(settings, log, { clock: () => new Date(Date.now() + ahead) });

async function measure(): Promise<Held> {
  // Twice: what finalizers let go of in the first is collected in the second.
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
// A parent that was killed asks no more.
process.once('disconnect', stop);
process.send!(service.url);
