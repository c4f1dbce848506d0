import { chmod, chown, stat } from 'node:fs/promises';
import type { Isolation } from './sandbox.ts';

const OWNER_AND_OTHERS = 0o707;
const BITS = { enter: 0o010, read: 0o050 };

/** Lets the account of tasks enter or read a folder of a worker that runs as root, and no other account. */
export async function admit(isolation: Isolation, folder: string, to: keyof typeof BITS): Promise<void> {
  if (isolation.kind !== 'landlock' || isolation.account === null) return;
  const { uid, mode } = await stat(folder);
  await chown(folder, uid, isolation.account);
  await chmod(folder, (mode & OWNER_AND_OTHERS) | BITS[to]);
}
