import { isAbsolute } from 'node:path';
import { invalid } from '@svc/core/errors';
import type { Column, NewTable } from '@svc/core/tables';
import { fileLocation, UnsupportedTableError } from '@svc/iceberg';
import { inferExternalColumns, listExternalFiles } from '@svc/lake/writes';
import type { Context } from '../http/context.ts';

/** The location and columns of an external table; the columns are inferred if the request has none. */
export async function externalColumns(ctx: Context, body: NewTable): Promise<{ location: string; columns: Column[] }> {
  const location = isAbsolute(body.location!) ? fileLocation(body.location!) : body.location!;
  const locations = await listExternalFiles(location, body.format!, ctx.deps.settings.externalLocations).catch(
    (error: unknown) => {
      if (error instanceof UnsupportedTableError) throw invalid({ pointer: '/location' }, error.message);
      throw error;
    },
  );
  if (body.columns !== undefined) return { location, columns: body.columns };
  const inferred = await inferExternalColumns(ctx.deps.sandbox, { format: body.format!, locations });
  if (!inferred.ok) throw invalid({ pointer: '/columns' }, inferred.message);
  const columns = inferred.columns.map(({ name, type }) => ({ name, type, nullable: true, description: null }));
  return { location, columns };
}
