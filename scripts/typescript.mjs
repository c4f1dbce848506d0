// node --import ./scripts/typescript.mjs --conditions=@svc/source FILE runs TypeScript sources directly, without a
// build: for tests and their child processes, and for generators of references.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register('./typescript/load.mjs', import.meta.url);
