import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const HISTORIES = 20_000;
const PROCESSES = availableParallelism();
const PROGRAM = fileURLToPath(new URL('../../testing/histories-process.ts', import.meta.url));
const HOOKS = new URL('../../../../../scripts/typescript.mjs', import.meta.url).href;

test('20,000 random histories on a real database and disk have the specified result', async () => {
  let hundreds = 0;
  const live = async () => {
    const child = fork(PROGRAM, [String(Math.ceil(HISTORIES / PROCESSES))], {
      execArgv: ['--conditions=@svc/source', '--disable-warning=ExperimentalWarning', `--import=${HOOKS}`],
    });
    child.on('message', () => ++hundreds % 10 === 0 && process.stderr.write(`${hundreds * 100} histories\n`));
    return (await once(child, 'exit'))[0] as number | null;
  };
  const codes = await Promise.all(Array.from({ length: PROCESSES }, live));
  expect(codes).toEqual(codes.map(() => 0));
}, 40_000_000);
