import type { Write } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import { split } from './split.ts';
import { type WaitOptions, waitUntilFinished } from './wait.ts';

/** Loads of rows into tables. */
export class Writes {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** With `wait` (0 to 60 seconds), returns as soon as the write has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Write> {
    const { call, rest } = split(options);
    return this.#call.request('writes.get', { ...call, params: { env, id }, query: rest });
  }

  /** Waits until the write has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Write> = {}): Promise<Write> {
    return waitUntilFinished(this.#call, 'write', (call) => this.get(env, id, call), options);
  }
}
