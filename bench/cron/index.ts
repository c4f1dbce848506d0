// How long the next time of a cron takes, beside croner and cron-parser, all with the text parsed before: interleaved
// rounds over ordinary cases and the worst ones (leap days, clock changes). Aim: at least five times as fast as the
// faster peer.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nextTime, parseCron } from '@svc/core/jobs';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';

const ROUNDS = Number(process.argv[2] ?? 7);
const CALLS = 300;

const cases: [cron: string, zone: string, after: string][] = [
  ['*/5 * * * *', 'UTC', '2026-03-01T08:02:00Z'],
  ['0 6 * * 1-5', 'Europe/Berlin', '2026-03-27T12:00:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'],
  ['30 2 * * *', 'America/New_York', '2026-10-31T12:00:00Z'],
  ['0 0 1 1 *', 'Asia/Kolkata', '2026-01-01T00:00:00Z'],
  ['0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z'],
  ['0 0 13 * 5', 'Pacific/Auckland', '2026-01-01T00:00:00Z'],
];

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function microseconds(call: () => unknown): number {
  const began = performance.now();
  for (let i = 0; i < CALLS; i++) call();
  return ((performance.now() - began) * 1000) / CALLS;
}

console.log(`${ROUNDS} interleaved rounds of ${CALLS} calls; medians in µs per next time:\n`);
console.log(
  `${'cron'.padEnd(14)}${'zone'.padEnd(20)}${['svc', 'croner', 'cron-parser', 'ratio'].map((h) => h.padStart(13)).join('')}`,
);
for (const [text, zone, after] of cases) {
  const read = parseCron(text);
  if (!read.ok) throw new Error(read.problem.message);
  const from = new Date(after);
  const croner = new Cron(text, { timezone: zone, paused: true });
  const times: Record<'svc' | 'croner' | 'parser', number[]> = { svc: [], croner: [], parser: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      svc: microseconds(() => nextTime(read.cron, zone, from)),
      croner: microseconds(() => croner.nextRun(from)),
      // Its iterator holds the position, so that a call from a given time has to make one.
      parser: microseconds(() => CronExpressionParser.parse(text, { tz: zone, currentDate: from }).next()),
    };
    if (round === 0) continue;
    for (const name of ['svc', 'croner', 'parser'] as const) times[name].push(measured[name]);
  }
  const [ours, croners, parsers] = [median(times.svc), median(times.croner), median(times.parser)];
  const figures = [ours, croners, parsers].map((us) => us.toFixed(2).padStart(13)).join('');
  console.log(
    `${text.padEnd(14)}${zone.padEnd(20)}${figures}${(Math.min(croners, parsers) / ours).toFixed(0).padStart(12)}×`,
  );
}

console.log(`\n${ROUNDS} processes each; medians in ms to load time zones and find one local time:\n`);
const first = (name: string) => {
  const program = fileURLToPath(new URL(`./first-time-${name}.mjs`, import.meta.url));
  return Number(execFileSync(process.execPath, [program], { encoding: 'utf8' }));
};
const loads: Record<'svc' | 'js-joda', number[]> = { svc: [], 'js-joda': [] };
for (let round = 0; round < ROUNDS; round++)
  for (const name of ['svc', 'js-joda'] as const) loads[name].push(first(name));
for (const name of ['svc', 'js-joda'] as const)
  console.log(`${name.padEnd(14)}${median(loads[name]).toFixed(1).padStart(13)}`);
