// Lives through histories, some side by side: HISTORIES-PROCESS COUNT. It says each hundred that ended.
import { liveHistories } from './live-histories.ts';

/** While one waits for the database another computes. */
const SIDE_BY_SIDE = 2;

const count = Number(process.argv[2]);
let finished = 0;
const report = () => void (++finished % 100 === 0 && process.send!(finished));
try {
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => liveHistories(count / SIDE_BY_SIDE, report)));
  process.disconnect();
} catch (error) {
  console.error(error);
  // The other's would go on for long.
  process.exit(1);
}
