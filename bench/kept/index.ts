// What a server and a worker retain of each kind of work: what is in memory after a full collection of garbage, before and
// after so many of it. `npm run bench kept [QUERIES] [KIND,…]`; BENCH_HEAPS=/some/folder takes their heaps as well, for
// the tools of a browser. The first round, which warms up, does not count.

import { join } from 'node:path';
import { newHome, removeHome } from '../service/service.ts';
import { LANES, type Operation, prepareOperations } from './operations.ts';
import { PROGRAMS, type Program, startProbed } from './probe.ts';

const QUERIES = Number(process.argv[2] ?? 200);
const ONLY = process.argv[3]?.split(',');
const ROUNDS = 3;
const HEAPS = process.env['BENCH_HEAPS'];

const home = newHome();
const { server, readMemory, stop } = await startProbed(home);

async function repeat({ act, lanes = LANES }: Operation, times: number): Promise<void> {
  let left = times;
  const lane = async (n: number) => {
    while (left-- > 0) await act(n);
  };
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
}

const kb = (bytes: number): string => (bytes / 1024).toFixed(1).padStart(8);

async function measure(name: string, operation: Operation): Promise<void> {
  const times = Math.max(LANES, Math.round(QUERIES * operation.share));
  const fileOf = (round: number) => (program: Program) => join(HEAPS!, `${name}-${program}-${round}.heapsnapshot`);
  const rounds: Awaited<ReturnType<typeof readMemory>>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await repeat(operation, times);
    rounds.push(await readMemory(HEAPS === undefined || round === 0 ? undefined : fileOf(round)));
  }
  for (const program of PROGRAMS) {
    const [first, last] = [rounds[0]![program], rounds.at(-1)![program]];
    const each = (key: 'heapUsed' | 'external') => kb((last[key] - first[key]) / (times * ROUNDS));
    const all = `heap ${kb(last.heapUsed)}, outside it ${kb(last.external)}, resident ${kb(last.rss)}`;
    console.log(
      `${name.padEnd(15)}${String(times * ROUNDS).padStart(6)} ${program}   KB of each: heap ${each('heapUsed')}, outside it ${each('external')}   in all: ${all}`,
    );
  }
}

try {
  const isSelected = (name: string) => ONLY === undefined || ONLY.includes(name);
  const { operations, close } = await prepareOperations(server, isSelected);
  for (const [name, operation] of operations) await measure(name, operation);
  close();
} finally {
  await stop();
  removeHome(home);
}
