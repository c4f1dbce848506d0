// Generated from the contract by "npm run generate". Do not edit.
import { tableParams } from '../address.ts';
import type { BreakGlass, CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { Upload, Write } from './records.ts';

/** Uploads of files in parts. `client.tables.load` sends large files this way. */
export class Uploads extends Resource {
  /** Start an upload of a file in parts. With the fingerprint of an unfinished upload, it continues that one. */
  create(env: string, table: string, options: CallOptions & BreakGlass & BodyOf<'uploads.create'>): Promise<Upload> {
    const { call, rest } = split(options);
    return this.call.request('uploads.create', { ...call, params: tableParams(env, table), body: rest });
  }

  /** Get an unfinished upload, with the parts that have arrived. */
  get(env: string, table: string, id: string, options: CallOptions = {}): Promise<Upload> {
    return this.call.request('uploads.get', { ...options, params: { ...tableParams(env, table), id } });
  }

  /** Load the file of a complete upload into its table, with those of other complete uploads. */
  finish(
    env: string,
    table: string,
    id: string,
    options: CallOptions & BreakGlass & BodyOf<'uploads.finish'> = {},
  ): Promise<Write> {
    const { call, rest } = split(options);
    return this.call.request('uploads.finish', { ...call, params: { ...tableParams(env, table), id }, body: rest });
  }

  /** Cancel an unfinished upload. */
  cancel(env: string, table: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('uploads.cancel', { ...options, params: { ...tableParams(env, table), id } });
  }
}
