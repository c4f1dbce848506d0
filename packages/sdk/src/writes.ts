import type { Write } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import { split } from './split.ts';
import { untilEnded, type WaitOptions } from './wait.ts';

/** Loads of rows into tables. */
export class Writes {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** With `wait` (0 to 60 seconds) the answer comes as soon as the write has ended. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Write> {
    const { call, rest } = split(options);
    return this.#call.request('writes.get', { ...call, params: { env, id }, query: rest });
  }

  /** The write once it has ended, however it ended. */
  wait(env: string, id: string, options: WaitOptions<Write> = {}): Promise<Write> {
    return untilEnded(this.#call, 'write', (call) => this.get(env, id, call), options);
  }
}
