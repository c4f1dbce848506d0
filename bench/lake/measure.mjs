// Interleaved runs: ours and the peer's in turn, so that the machine's moods meet both.

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds of each, in turn, after one unmeasured round. */
export async function interleave(rounds, contestants) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const start = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  return times;
}

export function report(title, times, ours, peer) {
  console.log(`\n${title}`);
  for (const [name, values] of Object.entries(times)) {
    const [min, mid, max] = [Math.min(...values), median(values), Math.max(...values)].map((v) => v.toFixed(1));
    console.log(`  ${name.padEnd(22)} ${mid} ms   (${min} – ${max}, ${values.length} runs)`);
  }
  const ratios = times[ours].map((v, i) => v / times[peer][i]);
  const over = times[ours].map((v, i) => v - times[peer][i]);
  console.log(`  ratio ${median(ratios).toFixed(3)}, over ${median(over).toFixed(1)} ms (medians of pairs)`);
  return { ratio: median(ratios), over: median(over) };
}

export const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
