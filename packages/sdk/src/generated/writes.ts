// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import { type WaitOptions, waitUntilFinished } from '../wait.ts';
import type { Write } from './records.ts';

/** Loads of rows into tables. */
export class Writes extends Resource {
  /** Get a write. With `wait` (0 to 60 seconds), returns as soon as it has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Write> {
    const { call, rest } = split(options);
    return this.call.request('writes.get', { ...call, params: { env, id }, query: rest });
  }

  /** Wait until the write has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Write> = {}): Promise<Write> {
    return waitUntilFinished(this.call, 'write', (call) => this.get(env, id, call), options);
  }
}
