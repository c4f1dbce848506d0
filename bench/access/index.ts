// How long it takes to know whether a request is allowed: the decision in memory beside authorisation libraries, and
// the one round trip that finds what a token, its principal and an object's names mean among 1,000,000 grants, beside
// the look-up of one grant by its primary key. `npm run bench access [ROUNDS]`.
import { withBench } from '../database/open.ts';
import { measureDecisions } from './decisions.ts';
import { measureRequests } from './requests.ts';

const ROUNDS = Number(process.argv[2] ?? 1000);

await measureDecisions();
await withBench((bench) => measureRequests(bench, ROUNDS), { poolSize: 1 });
