import type { Maintenance } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import { split } from './split.ts';
import { type WaitOptions, waitUntilFinished } from './wait.ts';

/** Maintenance of tables, which `client.tables.maintain` starts. */
export class Maintenances {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** With `wait` (0 to 60 seconds), returns as soon as the maintenance has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Maintenance> {
    const { call, rest } = split(options);
    return this.#call.request('maintenance.get', { ...call, params: { env, id }, query: rest });
  }

  /** Waits until the maintenance has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Maintenance> = {}): Promise<Maintenance> {
    return waitUntilFinished(this.#call, 'maintenance', (call) => this.get(env, id, call), options);
  }
}
