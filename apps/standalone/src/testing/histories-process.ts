// Runs histories, some of them concurrently: HISTORIES-PROCESS COUNT. Reports every hundred.
import { liveHistories } from './live-histories.ts';

/** While one history waits for the database, another one computes. */
const SIDE_BY_SIDE = 2;

const count = Number(process.argv[2]);
let finished = 0;
const report = () => void (++finished % 100 === 0 && process.send!(finished));
try {
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => liveHistories(count / SIDE_BY_SIDE, report)));
  process.disconnect();
} catch (error) {
  console.error(error);
  // The other histories would run for a long time.
  process.exit(1);
}
