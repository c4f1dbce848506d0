// Dropping and restoring, whatever a table's size; the sweep over many dropped tables beside requests; the list of
// expiring tables at the end of the list as at its start. `npm run bench drops [undrop|sweep|expiring] [N]`.
import { expiring } from './expiring.ts';
import { sweep } from './sweep.ts';
import { undrop } from './undrop.ts';

const PARTS = { undrop, sweep, expiring };
const [part, size] = process.argv.slice(2);

for (const [name, run] of Object.entries(PARTS))
  if (part === undefined || part === name) await run(size === undefined ? undefined : Number(size));
