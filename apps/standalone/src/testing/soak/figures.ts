import type { ResourceUsage } from './process.ts';
import type { Month } from './soak.ts';

const MB = 1_000_000;

/** MB by which a figure grows in 30 days, by least squares. */
export function growth(months: readonly Month[], of: keyof ResourceUsage): number {
  const points = months.map(({ day, usage }) => [day / 30, usage[of] / MB] as const);
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const above = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return above / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

/** A line with the results of a month. */
export function table({ day, runs, usage, rows }: Month): string {
  const megabytes = (bytes: number) => (bytes / MB).toFixed(1).padStart(6);
  const memory = `heap ${megabytes(usage.heap)} of it code ${megabytes(usage.code)} external ${megabytes(usage.external)} resident ${megabytes(usage.resident)} MB`;
  const counts = Object.entries(rows).map(([name, count]) => `${name} ${count}`);
  return `day ${day}: ${runs} runs; ${memory}; ${usage.handles} handles, ${usage.children} children\n  ${counts.join(', ')}\n`;
}
