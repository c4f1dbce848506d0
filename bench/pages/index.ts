// Whether a list is as fast at its end as at its start, however long it is: page 1 beside the page at row 1,000,000
// of every long list, with and without a filter that leaves one row in a thousand (there the last page that is full).
// `npm run bench pages [ROUNDS]`.
import { withBench } from '../database/open.ts';
import { bar, figures, interleave, pairedRatio, table } from '../database/timing.ts';
import { fill, ROWS } from './fill.ts';
import { CASES } from './lists.ts';

const ROUNDS = Number(process.argv[2] ?? 100);
const DEEP = 1_000_000;
// A hundred rows of a filtered list lie within a hundred thousand of the whole.
const DEEP_RARE = DEEP - 150_000;

await withBench(
  async ({ db, bare }) => {
    const started = performance.now();
    await fill(bare);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `Pages of 100 among ${ROWS} rows of each list (filled in ${seconds} s), ms; ${ROUNDS} interleaved rounds:\n`,
    );
    const contestants: Record<string, () => Promise<number>> = {};
    for (const { name, rare, read } of CASES) {
      contestants[`${name} 1`] = () => read(db.prisma, 0);
      contestants[`${name} n`] = () => read(db.prisma, rare ? DEEP_RARE : DEEP);
    }
    for (const [name, read] of Object.entries(contestants)) {
      const rows = await read();
      if (rows !== 100) throw new Error(`page ${name} has ${rows} rows`);
    }
    const times = await interleave(ROUNDS, contestants);
    const rows = CASES.map(({ name }) => {
      const [first, last] = [figures(times[`${name} 1`]!), figures(times[`${name} n`]!)];
      return { name, first, last, ratio: pairedRatio(times[`${name} n`]!, times[`${name} 1`]!) };
    });
    table(
      ['', 'page 1 p50', 'p99', 'last page p50', 'p99', 'ratio'],
      rows.map(({ name, first, last, ratio }) => [
        name,
        first.p50,
        first.p99,
        last.p50,
        last.p99,
        `${ratio.toFixed(2)} ×`,
      ]),
    );
    const worst = rows.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    bar(
      `no list's last page takes over 20 % more than its first: ${worst.name} ${worst.ratio.toFixed(2)} ×`,
      worst.ratio <= 1.2,
    );
  },
  { poolSize: 1 },
);
