import type { Held } from './process.ts';
import type { Month } from './soak.ts';

const MB = 1_000_000;

/** MB by which a figure grows in 30 days, by least squares. */
export function growth(months: readonly Month[], of: keyof Held): number {
  const points = months.map(({ day, held }) => [day / 30, held[of] / MB] as const);
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const above = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return above / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

/** A line with the results of a month. */
export function table({ day, runs, held, rows }: Month): string {
  const megabytes = (bytes: number) => (bytes / MB).toFixed(1).padStart(6);
  const memory = `heap ${megabytes(held.heap)} of it code ${megabytes(held.code)} external ${megabytes(held.external)} resident ${megabytes(held.resident)} MB`;
  const counts = Object.entries(rows).map(([name, count]) => `${name} ${count}`);
  return `day ${day}: ${runs} runs; ${memory}; ${held.handles} handles, ${held.children} children\n  ${counts.join(', ')}\n`;
}
