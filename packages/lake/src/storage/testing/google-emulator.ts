import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { answers, freePort } from './s3-server.ts';

/** An emulator of Google Cloud Storage (fake-gcs-server), with one bucket. */
export interface GoogleEmulator {
  readonly bucket: string;
  readonly endpoint: string;
  readonly addBucket: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @param program path of `fake-gcs-server` */
export async function startGoogleEmulator(program: string): Promise<GoogleEmulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const args = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-backend', 'memory'];
  const child = spawn(program, [...args, '-public-host', `127.0.0.1:${port}`, '-log-level', 'error'], {
    stdio: 'ignore',
  });
  await answers(child, endpoint);
  const addBucket = async (name: string) => {
    const response = await fetch(`${endpoint}/storage/v1/b`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (!response.ok) throw new Error(`the emulator didn't create the bucket ${name}: ${response.status}`);
  };
  await addBucket('lake');
  return {
    bucket: 'lake',
    endpoint,
    addBucket,
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
