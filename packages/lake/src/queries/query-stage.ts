import type { Sandbox } from './sandbox/sandbox.ts';

/** A folder that is opened in the meantime, and closed without waiting for it. */
export function openStage(sandbox: Sandbox): { readonly dir: Promise<string>; readonly close: () => void } {
  const opening = sandbox.options.store.openStage();
  const dir = opening.then((stage) => stage.dir);
  // A rejected statement never awaits it.
  dir.catch(() => undefined);
  // The sweep removes whatever a killed process leaves.
  return { dir, close: () => void opening.then((stage) => stage.close()).catch(() => undefined) };
}

export async function withStage<R>(sandbox: Sandbox, work: (stage: Promise<string>) => Promise<R>): Promise<R> {
  const stage = openStage(sandbox);
  try {
    return await work(stage.dir);
  } finally {
    stage.close();
  }
}
