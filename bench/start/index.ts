// How long the standalone service takes from the start of its process to the first 200 of /readyz: cold (an empty home:
// the database is made) and warm. Aims: 5 s and 2 s.
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone } from '../service/service.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const cold: number[] = [];
const warm: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const home = newHome();
  for (const times of [cold, warm]) {
    const service = await startStandalone(home);
    times.push(service.readyMs);
    await service.stop();
  }
  removeHome(home);
}
const line = (name: string, times: number[], target: number) =>
  console.log(
    `${name} ${(median(times) / 1000).toFixed(2)} s (${Math.min(...times).toFixed(0)} – ${Math.max(...times).toFixed(0)} ms, ${times.length} runs), aim ≤ ${target} s`,
  );
line('cold start', cold, 5);
line('warm start', warm, 2);
