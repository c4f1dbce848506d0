import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ServiceParts, startParts } from '../service/apart.ts';

export const PROGRAMS = ['server', 'worker'] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Probed extends ServiceParts {
  /** The memory that each program uses after a full collection of garbage; `heapTo` names a file for its heap. */
  readMemory: (heapTo?: (program: Program) => string) => Promise<Record<Program, NodeJS.MemoryUsage>>;
}

/** Server and worker that report their memory. */
export async function startProbed(home: string): Promise<Probed> {
  const probe = new URL('./probe.mjs', import.meta.url).href;
  process.env['BENCH_NODE_FLAGS'] = `--expose-gc --import=${probe}`;
  const socketOf = (program: Program) => join(home, `${program}.socket`);
  const envOf = (program: Program) => ({ BENCH_PROBE: socketOf(program) });
  const service = await startParts(home, { server: envOf('server'), worker: envOf('worker') });
  const request = async (program: Program, file: string): Promise<NodeJS.MemoryUsage> => {
    const socket = connect(socketOf(program));
    await once(socket, 'connect');
    socket.write(`${file}\n`);
    return JSON.parse(await text(socket));
  };
  return {
    ...service,
    async readMemory(heapTo = () => '') {
      const server = await request('server', heapTo('server'));
      return { server, worker: await request('worker', heapTo('worker')) };
    },
  };
}
