import { randomUUID } from 'node:crypto';
import type { Answer, Call, CallOptions } from './rest.ts';

/** Sends each request with a key until it is acknowledged, as the clients do. */
export class PersistentCaller {
  /** The other outcomes: a status with its code, or the connection to the server failed. */
  readonly setbacks: string[] = [];
  private readonly call: Call;

  constructor(call: Call) {
    this.call = call;
  }

  async send(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() };
    for (;;) {
      const answer = await this.call(method, path, { ...options, headers }).catch((error: Error) => error);
      if (answer instanceof Error) {
        this.setbacks.push(`no response: ${String(answer.cause)}`);
        continue;
      }
      if (answer.status < 300) return answer;
      const { code } = answer.body;
      // The first attempt is still in progress.
      if (code === 'idempotency-key-in-use') continue;
      this.setbacks.push(`${answer.status} ${code}`);
      if (answer.status < 500) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    }
  }
}
