export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export type Times = Record<string, number[]>;

/** Milliseconds of each contestant, in turn and after unmeasured rounds, so that the machine's moods meet all of them. */
export async function interleave(
  { rounds, warmUp = 1, before = async () => {} }: { rounds: number; warmUp?: number; before?: () => Promise<void> },
  contestants: Record<string, () => Promise<void>>,
): Promise<Times> {
  const times: Times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      await before();
      const start = performance.now();
      await run();
      if (round >= 0) times[name]?.push(performance.now() - start);
    }
  }
  return times;
}

/** Prints each contestant's median and range, and what ours costs beside the peer by the medians of the pairs. */
export function report(title: string, times: Times, ours: string, peer: string): void {
  console.log(`\n${title}`);
  for (const [name, values] of Object.entries(times)) {
    const range = `${Math.min(...values).toFixed(1)} – ${Math.max(...values).toFixed(1)}`;
    console.log(`  ${name.padEnd(24)} ${median(values).toFixed(1)} ms   (${range}, ${values.length} runs)`);
  }
  const pairs = times[ours]!.map((value, i) => [value, times[peer]![i]!] as const);
  const ratio = median(pairs.map(([a, b]) => a / b));
  const over = median(pairs.map(([a, b]) => a - b));
  console.log(`  ratio ${ratio.toFixed(2)}, over ${over.toFixed(1)} ms (medians of pairs)`);
}
