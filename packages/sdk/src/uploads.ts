import { tableParams } from './address.ts';
import { Uploads as GeneratedUploads } from './generated/uploads.ts';
import type { BreakGlass, CallOptions } from './request.ts';
import type { AnswerOf } from './routes.ts';
import type { UploadBody } from './transport.ts';

/** Uploads of files in parts. `client.tables.load` sends large files this way. */
export class Uploads extends GeneratedUploads {
  /** Uploads a part. A part that has arrived already is replaced. */
  putPart(
    env: string,
    table: string,
    id: string,
    number: number,
    body: UploadBody,
    options: CallOptions & BreakGlass = {},
  ): Promise<AnswerOf<'uploads.putPart'>> {
    const params = { ...tableParams(env, table), id, number: String(number) };
    return this.call.request('uploads.putPart', { ...options, params, body, contentType: 'application/octet-stream' });
  }
}
