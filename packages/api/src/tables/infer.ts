import { invalid } from '@svc/core/errors';
import { type Column, type DataFormat, MAX_SAMPLE_BYTES, tableEndpoints } from '@svc/core/tables';
import { csvOptionsOf } from '@svc/core/writes';
import { inferLoadColumns } from '@svc/lake/writes';
import type { Context } from '../http/context.ts';
import { uploadHasher } from '../http/request/idempotency.ts';
import { type Route, uploadRoute } from '../http/route.ts';
import { type RemoteFile, requireAllowedUrl } from '../writes/remote-file.ts';
import { requireCsvOptions } from '../writes/require-load-fields.ts';
import { formatOf, stageUpload } from '../writes/staging.ts';

/** So much of a remote CSV or NDJSON file is read. */
const SAMPLE_BYTES = 8 * 1024 * 1024;

/** The columns of a table for a file, of which CSV and NDJSON need only the start. The file is removed again. */
export const inferRoute: Route = uploadRoute(
  tableEndpoints.infer,
  async (ctx) => {
    const { deps } = ctx;
    const format = formatOf(ctx);
    const options = csvOptionsOf(ctx.query);
    requireCsvOptions(options, format, 'query');
    const remote = remoteSample(ctx, format);
    const staged = await stageUpload(ctx, 'staged', deps.newId(), MAX_SAMPLE_BYTES, uploadHasher(ctx), remote);
    try {
      if (staged.value.size === 0) throw invalid({ pointer: '' }, 'the file is empty');
      const path = await deps.store.localPath(staged.value.location);
      const owner = `infer ${ctx.environment.id} ${ctx.caller.id}`;
      const inferred = await inferLoadColumns(deps.sandbox, {
        ...{ format, path, owner, csv: options ?? {}, maxBytes: remote?.enough ?? MAX_SAMPLE_BYTES },
      });
      if (!inferred.ok) throw invalid({ pointer: '' }, inferred.message);
      return { ...staged, value: inferred, discard: async () => {} };
    } finally {
      await staged.discard();
    }
  },
  async (_ctx, inferred) => {
    const columns: Column[] = inferred.columns.map(({ name, type }) => ({
      name,
      type,
      nullable: true,
      description: null,
    }));
    return { columns, csv: inferred.csv };
  },
);

/** The end of Parquet has its columns, so all of the file is read. */
function remoteSample(ctx: Context<object, { url?: string | undefined }>, format: DataFormat): RemoteFile | undefined {
  const { url } = ctx.query;
  requireAllowedUrl(ctx, url);
  if (url === undefined) return undefined;
  return { url, ...(format === 'parquet' ? {} : { enough: SAMPLE_BYTES }) };
}
