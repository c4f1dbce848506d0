// What package indexes cost a run: verifying a lock file of 2,000 packages, beside hashing its text, and making a Python task
// ready whose environment was built before. Aims: 50 ms each. `npm run bench packages [ROUNDS]`.
import { createHash } from 'node:crypto';
import { verifyLock } from '@svc/core/package-indexes';
import { preparePython } from '@svc/worker/runs';
import { parse } from 'smol-toml';
import { lockOf } from './lock.ts';
import { openProject } from './project.ts';

const ROUNDS = Number(process.argv[2] ?? 30);
const CORP = 'https://packages.example.org/simple';
const indexNamed = (name: string, url: string) => ({ name, url, credential_secret: null });
const lockText = lockOf(2000, CORP);
const registered = Array.from({ length: 50 }, (_, i) => indexNamed(`i${i}`, `https://i${i}.example.org/simple`));
registered.push(indexNamed('corp', CORP));
const bare = { pyprojectText: null, uvTomlText: null, wheelhouse: [], operatorIndexUrl: null, fileHosts: [] };

function verify(): void {
  const { problems, indexes } = verifyLock({ ...bare, lockText, registered, phase: 'execution' });
  if (problems.length > 0 || indexes.join() !== 'corp') throw new Error(`unexpected result: ${problems[0]?.message}`);
}

async function measure(what: string, act: () => unknown): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  const first = times.shift()!;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  const [median, late, one] = [at(0.5), at(0.95), first].map((ms) => `${ms.toFixed(1).padStart(6)} ms`);
  console.log(`${what.padEnd(36)} median ${median}  p95 ${late}  first ${one}`);
}

const megabytes = (lockText.length / 1e6).toFixed(1);
console.log(`${ROUNDS} rounds; a lock of 2,000 packages, ${megabytes} MB, 51 registered indexes:\n`);
await measure('verify the lock', verify);
await measure('peer: parse it with smol-toml', () => parse(lockText));
await measure('floor: hash its text', () => createHash('sha256').update(lockText).digest());
const { work, close } = await openProject(lockText);
try {
  await measure('make a task ready, environment reused', async () => {
    const prepared = await preparePython(work);
    if ('code' in prepared) throw new Error(prepared.detail);
  });
} finally {
  await close();
}
