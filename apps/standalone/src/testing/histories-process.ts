// Lives through histories, some side by side: HISTORIES-PROCESS COUNT. It says each hundred that ended.
import { liveHistories } from './live-histories.ts';

/** While one waits for the database another computes. */
const SIDE_BY_SIDE = 2;

const count = Number(process.argv[2]);
let ended = 0;
const told = () => void (++ended % 100 === 0 && process.send!(ended));
try {
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => liveHistories(count / SIDE_BY_SIDE, told)));
  process.disconnect();
} catch (error) {
  console.error(error);
  // The other's would go on for long.
  process.exit(1);
}
