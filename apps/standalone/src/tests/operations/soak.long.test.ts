import { growth, type Month, Soak, table } from '../../testing/soak/index.ts';

const DAYS = Number(process.env['SOAK_DAYS'] ?? 366);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
/** The day before clocks change in Berlin, in 2024. */
const HOURLY_ON = [89, 299];

test('a service lives a year, its memory is flat and everything is as it must be', async () => {
  const onMonth = (month: Month) => process.stderr.write(table(month));
  const start = new Date('2024-01-01T00:00:00Z');
  const months = await Soak.live({ start, days: DAYS, seed: SEED, hourlyOn: HOURLY_ON, onMonth });
  expect(months.at(-1)).toMatchObject({ day: DAYS });
  // The first two months warm up caches; the last month is incomplete.
  const settled = months.filter(({ day }) => day > 60 && day % 30 === 0);
  if (settled.length < 3) return;
  const slopes = {
    heap: growth(settled, 'heap'),
    code: growth(settled, 'code'),
    resident: growth(settled, 'resident'),
  };
  process.stderr.write(
    `growth in MB a month: heap ${slopes.heap.toFixed(2)}, of it code ${slopes.code.toFixed(2)}, resident ${slopes.resident.toFixed(2)}\n`,
  );
  expect(slopes.heap).toBeLessThan(1);
  const [first, last] = [settled[0]!.usage, settled.at(-1)!.usage];
  expect(last.handles).toBeLessThanOrEqual(first.handles + 3);
  expect(last.children).toBeLessThanOrEqual(first.children);
}, 14_400_000);
