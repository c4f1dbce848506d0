// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import { type WaitOptions, waitUntilFinished } from '../wait.ts';
import type { Maintenance } from './records.ts';

/** Maintenance of tables. */
export class Maintenances extends Resource {
  /** Get a maintenance operation of a table. With `wait` (0 to 60 seconds), returns as soon as it has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Maintenance> {
    const { call, rest } = split(options);
    return this.call.request('maintenance.get', { ...call, params: { env, id }, query: rest });
  }

  /** Wait until the maintenance has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Maintenance> = {}): Promise<Maintenance> {
    return waitUntilFinished(this.call, 'maintenance', (call) => this.get(env, id, call), options);
  }
}
