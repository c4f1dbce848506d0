import { Histories } from './histories.ts';
import { World } from './world.ts';

/** Runs the histories of each seed on a real database. Returns the differences from the models. */
export async function liveThrough(what: {
  seeds: readonly number[];
  projects: number;
  steps: number;
}): Promise<string[]> {
  const w = await World.open();
  try {
    for (const seed of what.seeds) {
      const histories = new Histories(w, seed);
      await histories.createProjects(what.projects);
      for (let i = 0; i < what.steps; i++) await histories.step();
      const differences = await histories.differences();
      if (differences.length > 0)
        return [`seed ${seed}, ${differences.length} of ${what.projects} projects, the first:\n${differences[0]}`];
    }
    return [];
  } finally {
    await w.close();
  }
}
