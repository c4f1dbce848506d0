import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { queryTabEndpoints as endpoints } from '@svc/core/query-tabs';
import { deleteQueryTab, findQueryTab, listQueryTabs, saveQueryTab } from '@svc/db/query-tabs';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';

// Tabs change while their owner types, and their statements may contain secrets: no event records them (TAB-5).

const ownerOf = (ctx: Context) => ({ environmentId: ctx.environment.id, ownerId: ctx.caller.id });

const unknown = (id: string) => notFound('query tab', id, 'GET the list of query tabs to see yours.');

const list = route(endpoints.list, async (ctx) =>
  allOrPage(ctx, await listQueryTabs(ctx.db, ownerOf(ctx)), ({ created_at, id }) => [created_at, id]),
);

const get = route(endpoints.get, async (ctx) => {
  const { id } = ctx.params;
  const found = isUuid(id) ? await findQueryTab(ctx.db, { ...ownerOf(ctx), id }) : null;
  if (found === null) throw unknown(id);
  return found;
});

const save = route(endpoints.save, async (ctx) => {
  const { id } = ctx.params;
  if (!isUuid(id)) throw invalid({ parameter: 'id' }, 'must be a UUID');
  const { sql: sql_text, ...fields } = ctx.body;
  const saved = await saveQueryTab(ctx.db, ownerOf(ctx), { id, sql_text, ...fields, now: ctx.now });
  if (saved === null) throw unknown(id);
  return saved;
});

const remove = route(endpoints.delete, async (ctx) => {
  const { id } = ctx.params;
  const isDeleted = isUuid(id) && (await deleteQueryTab(ctx.db, { ...ownerOf(ctx), id, version: ctx.query.version }));
  if (!isDeleted) throw unknown(id);
  return undefined;
});

export const queryTabRoutes: Route[] = [list, get, save, remove];
