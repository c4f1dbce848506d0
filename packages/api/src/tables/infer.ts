import { invalid } from '@svc/core/errors';
import { type Column, MAX_SAMPLE_BYTES, tableEndpoints } from '@svc/core/tables';
import { csvOptionsOf } from '@svc/core/writes';
import { inferLoadColumns } from '@svc/lake/writes';
import { uploadHasher } from '../http/request/idempotency.ts';
import { type Route, uploadRoute } from '../http/route.ts';
import { requireCsvOptions } from '../writes/require-load-fields.ts';
import { formatOf, stageUpload } from '../writes/staging.ts';

/** The columns of a table for a file, of which CSV and NDJSON need only the start. The file is removed again. */
export const inferRoute: Route = uploadRoute(
  tableEndpoints.infer,
  async (ctx) => {
    const { deps } = ctx;
    const format = formatOf(ctx);
    const options = csvOptionsOf(ctx.query);
    requireCsvOptions(options, format, 'query');
    const staged = await stageUpload(ctx, 'staged', deps.newId(), MAX_SAMPLE_BYTES, uploadHasher(ctx));
    try {
      if (staged.value.size === 0) throw invalid({ pointer: '' }, 'the file is empty');
      const path = await deps.store.localPath(staged.value.location);
      const owner = `infer ${ctx.environment.id} ${ctx.caller.id}`;
      const inferred = await inferLoadColumns(deps.sandbox, {
        ...{ format, path, owner, csv: options ?? {}, maxBytes: MAX_SAMPLE_BYTES },
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
