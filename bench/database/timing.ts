// Interleaved calls: every contestant in turn, so that the machine's moods meet all of them.

export interface Figures {
  p50: number;
  p99: number;
  mean: number;
}

export function figures(times: readonly number[]): Figures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p99: at(0.99), mean: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length };
}

/** Median of the ratios of what ran in the same rounds: what slows the machine down meets both sides of a pair. */
export function pairedRatio(times: readonly number[], floor: readonly number[]): number {
  return figures(times.map((ms, round) => ms / floor[round]!)).p50;
}

type Contestants<K extends string> = Record<K, (round: number) => unknown>;

/** Milliseconds of each call, in turn, after `warm` unmeasured rounds. */
export async function interleave<K extends string>(
  rounds: number,
  contestants: Contestants<K>,
  warm = Math.ceil(rounds / 10),
): Promise<Record<K, number[]>> {
  const names = Object.keys(contestants) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -warm; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await contestants[name](round + warm);
      if (round >= 0) times[name].push(performance.now() - started);
    }
  }
  return times;
}

/** Long enough for the compiler to have seen a short call. */
const WARM_MS = 200;

/** Microseconds a call in each of `batches` batches of `size` calls that are too short to time alone, in turn. */
export function interleaveBatches<K extends string>(
  batches: number,
  size: number,
  contestants: Contestants<K>,
): Record<K, number[]> {
  const names = Object.keys(contestants) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (const name of names) {
    const until = performance.now() + WARM_MS;
    for (let i = 0; performance.now() < until; i++) contestants[name](i);
  }
  for (let batch = 0; batch < batches; batch++) {
    for (const name of names) {
      const started = performance.now();
      for (let i = 0; i < size; i++) contestants[name](i);
      times[name].push(((performance.now() - started) / size) * 1000);
    }
  }
  return times;
}

/** A table of columns right-aligned after the first. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const text = (cell: string | number) => (typeof cell === 'number' ? cell.toFixed(cell < 10 ? 2 : 1) : cell);
  const all = [head, ...rows.map((row) => row.map(text))];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  for (const row of all)
    console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]! + 3))).join(''));
}

/** Prints whether a bar is met and makes the program end with 1 when it is missed. */
export function bar(text: string, met: boolean): void {
  console.log(`${met ? 'met   ' : 'MISSED'} ${text}`);
  if (!met) process.exitCode = 1;
}
