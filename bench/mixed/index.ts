// Everything at once: reads, catalog, queries, runs, deploys and drops against servers and workers in processes of their
// own (default: one of each), first as fast as 10 connections get answers, then for minutes at half of that rate, each request at its time
// whether or not those before are answered. Aims: reads p99 ≤ 50 ms at half of the rate, no error, memory that does not grow.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startParts } from '../service/apart.ts';
import { cpuSeconds } from '../service/cpu.ts';
import { megabytes, newHome, removeHome, residentOf } from '../service/service.ts';
import { CONNECTIONS, type Kind, prepareTraffic } from './traffic.ts';

const MINUTES = Number(process.argv[2] ?? 2);
const FAST_MS = Number(process.argv[3] ?? 15_000);
/** Number of servers, and of workers. */
const PROCESSES = Number(process.argv[4] ?? 1);
const SAMPLE_MS = 2000;
const PROJECT = {
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n',
  'assets/marts/total.sql': 'SELECT count(*) AS n FROM range(10)',
};

const home = newHome();
const parts = await startParts(home, {}, PROCESSES);
const { server, servers, workerPid, stop: stopAll } = parts;
for (const [file, text] of Object.entries(PROJECT)) {
  mkdirSync(dirname(join(home, 'project', file)), { recursive: true });
  writeFileSync(join(home, 'project', file), text);
}
const stop = async () => {
  await stopAll();
  removeHome(home);
};
const { kinds, close } = await prepareTraffic(servers, join(home, 'project')).catch(async (error: unknown) => {
  await stop();
  throw error;
});

/** Request kinds in the given proportions, evenly mixed and identical in every round. */
function* mixture(): Generator<Kind> {
  const due = kinds.map(() => 0);
  for (;;) {
    kinds.forEach((kind, i) => {
      due[i]! += kind.share;
    });
    const next = due.indexOf(Math.max(...due));
    due[next]! -= 1000;
    yield kinds[next]!;
  }
}

const errors: string[] = [];
const times = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));

async function send({ name, send: act }: Kind, due: number, measured: boolean): Promise<void> {
  try {
    await act();
    if (measured) times.get(name)!.push(performance.now() - due);
  } catch (error) {
    errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const PROGRAMS = {
  servers: servers.map(({ pid }) => pid),
  workers: parts.workerPids,
  PostgreSQL: [parts.postgresPid],
};

/** Seconds of processor time of each kind of program. */
const cpuTimes = () =>
  Object.entries(PROGRAMS).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)] as const);

/** Processor time of each kind of program for a request, and the share of it. */
function printCost(before: ReturnType<typeof cpuTimes>, requests: number): void {
  const used = cpuTimes().map(([name, seconds], i) => [name, seconds - before[i]![1]] as const);
  const total = used.reduce((sum, [, seconds]) => sum + seconds, 0);
  for (const [name, seconds] of used) {
    const each = ((seconds * 1000) / requests).toFixed(2).padStart(6);
    console.log(
      `  ${name.padEnd(10)} ${each} ms of processor time a request, ${((seconds / total) * 100).toFixed(0)} %`,
    );
  }
  console.log(`  together   ${((total * 1000) / requests).toFixed(2).padStart(6)} ms`);
}

/** Requests a second that are answered when each connection sends its next at once. */
async function fullRate(): Promise<number> {
  const mixed = mixture();
  const end = performance.now() + FAST_MS;
  let sent = 0;
  const connection = async () => {
    for (; performance.now() < end; sent++) await send(mixed.next().value as Kind, 0, false);
  };
  const before = cpuTimes();
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  printCost(before, sent);
  return (sent / FAST_MS) * 1000;
}

/** Each request at its time: what waits behind a slow one counts as slow too. */
async function atRate(perSecond: number, ms: number): Promise<void> {
  const mixed = mixture();
  const began = performance.now();
  const under = new Set<Promise<void>>();
  for (let n = 0; performance.now() - began < ms; ) {
    for (; (n * 1000) / perSecond <= performance.now() - began; n++) {
      const one: Promise<void> = send(mixed.next().value as Kind, began + (n * 1000) / perSecond, true);
      under.add(one);
      void one.then(() => under.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
}

const samples: { minute: number; server: number; worker: number }[] = [];
const full = await fullRate();
console.log(
  `${PROCESSES} × ${PROCESSES} processes, ${CONNECTIONS} connections without a pause: ${full.toFixed(0)} requests a second, ${errors.length} errors`,
);
const began = performance.now();
const watch = setInterval(() => {
  const [a, b] = [residentOf(server.pid), residentOf(workerPid)];
  const minute = (performance.now() - began) / 60_000;
  if (a > 0 && b > 0) samples.push({ minute, server: a, worker: b });
}, SAMPLE_MS);
await atRate(full / 2, MINUTES * 60_000);
clearInterval(watch);

const at = (values: readonly number[], share: number): string =>
  `${(values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN).toFixed(1).padStart(8)} ms`;
console.log(`\nhalf of it, ${(full / 2).toFixed(0)} a second, for ${MINUTES} minutes:`);
for (const [name, values] of times) {
  values.sort((a, b) => a - b);
  const target = name === 'read' ? '   aim p99 ≤ 50 ms' : '';
  const count = String(values.length).padStart(7);
  console.log(
    `  ${name.padEnd(24)}${count}   p50 ${at(values, 0.5)}   p99 ${at(values, 0.99)}   longest ${at(values, 1)}${target}`,
  );
}

/** Growth in bytes a minute: the least squares' line through the later half. */
function slope(program: 'server' | 'worker'): number {
  const later = samples.slice(Math.floor(samples.length / 2));
  const mean = (pick: (s: (typeof later)[number]) => number) =>
    later.reduce((sum, s) => sum + pick(s), 0) / later.length;
  const [x, y] = [mean((s) => s.minute), mean((s) => s[program])];
  const over = later.reduce((sum, s) => sum + (s.minute - x) * (s[program] - y), 0);
  return over / later.reduce((sum, s) => sum + (s.minute - x) ** 2, 0);
}
for (const program of samples.length === 0 ? [] : (['server', 'worker'] as const)) {
  const [first, last] = [samples[0]![program], samples.at(-1)![program]];
  const growth = (slope(program) / 1024 / 1024).toFixed(1);
  console.log(
    `  ${program}: ${megabytes(first)} → ${megabytes(last)} resident, ${growth} MB a minute in the later half`,
  );
}
console.log(
  `  ${errors.length} errors${errors.length > 0 ? `, such as ${[...new Set(errors)].slice(0, 5).join('; ')}` : ''}`,
);
if (errors.length > 0) process.exitCode = 1;

close();
await stop();
