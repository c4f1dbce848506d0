import { isAbsolute } from 'node:path';
import { invalid } from '@svc/core/errors';
import { BOUND } from '@svc/core/policies';
import type { Column, NewTable } from '@svc/core/tables';
import { boundExternalLocations } from '@svc/db/policies';
import { fileLocation, UnsupportedTableError } from '@svc/iceberg';
import { inferExternalColumns, listExternalFiles, mayShareFiles } from '@svc/lake/writes';
import type { Context } from '../http/context.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';

/** The location and columns of an external table; the columns are inferred if the request has none. */
export async function externalColumns(ctx: Context, body: NewTable): Promise<{ location: string; columns: Column[] }> {
  const location = isAbsolute(body.location!) ? fileLocation(body.location!) : body.location!;
  const locations = await listExternalFiles(location, body.format!, ctx.deps.settings.externalLocations).catch(
    (error: unknown) => {
      if (error instanceof UnsupportedTableError) throw invalid({ pointer: '/location' }, error.message);
      throw error;
    },
  );
  await requireUnboundFiles(ctx, location);
  if (body.columns !== undefined) return { location, columns: body.columns };
  const inferred = await inferExternalColumns(ctx.deps.sandbox, { format: body.format!, locations });
  if (!inferred.ok) throw invalid({ pointer: '/columns' }, inferred.message);
  const columns = inferred.columns.map(({ name, type }) => ({ name, type, nullable: true, description: null }));
  return { location, columns };
}

/** Another table with the same files would show what a policy hides from the caller. @throws AccessDeniedError */
async function requireUnboundFiles(ctx: Context, location: string): Promise<void> {
  const bound = await boundExternalLocations(ctx.db, ctx.caller.id);
  const shared = await Promise.all(bound.map((other) => mayShareFiles(location, other)));
  if (!shared.includes(true)) return;
  throw new AccessDeniedError(
    { action: 'CREATE_TABLE', object: ctx.target, reason: BOUND },
    {
      detail: `A row filter or column mask applies to you on an external table with files of ${location}, so you can't create another table with them: you don't see all of their rows as they are.`,
    },
  );
}
