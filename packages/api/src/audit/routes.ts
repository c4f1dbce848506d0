import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { INSTANCE } from '@svc/core/access';
import {
  type AuditEvent,
  EVENT_TYPES,
  type EventType,
  auditEndpoints as endpoints,
  hideContent,
} from '@svc/core/audit';
import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { INSTANCE_ID } from '@svc/db/access';
import { countEvents, exportEvents, findSignedHead, listEvents, verifyChain } from '@svc/db/audit';
import type { Position } from '@svc/db/paging';
import { checkNames } from '../access/object-names.ts';
import type { Context } from '../http/context.ts';
import { requireEnvironment } from '../http/guard/authorize.ts';
import { readingArchive } from '../http/response/archived-files.ts';
import { positionOf } from '../http/response/position.ts';
import { PageResponse, type Route, route, StreamResponse } from '../http/route.ts';
import { countOthers, recordActivity } from './activity.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The event as the caller may see it: another person's query text needs READ_QUERY_TEXT (`AUDIT-10`). */
function visibleEventFor(ctx: Context): (event: AuditEvent) => AuditEvent {
  const readsText = ctx.decide('READ_QUERY_TEXT', INSTANCE).allowed;
  return (event) =>
    readsText || event.principal_id === ctx.caller.id
      ? event
      : { ...event, detail: hideContent(event.type, event.detail, sha256) };
}

const ARCHIVE = {
  contents: 'Archived events of the audit log',
  remedy: 'copy the files below audit back from a backup of the storage; svc audit verify shows which are missing',
};

const list = route(endpoints.listEvents, async (ctx) => {
  const { event_type, principal_id, environment: name, namespace, table, request_id, since, until, limit } = ctx.query;
  if (event_type !== undefined && !EVENT_TYPES.includes(event_type as EventType)) {
    throw invalid({ parameter: 'event_type' }, `must be one of ${EVENT_TYPES.join(', ')}`);
  }
  if (principal_id !== undefined && !isUuid(principal_id))
    throw invalid({ parameter: 'principal_id' }, 'must be the id of a principal');
  checkNames(ctx.query);
  const environment = name === undefined ? null : await requireEnvironment(ctx, name);
  const filter = {
    eventType: event_type as EventType | undefined,
    principalId: principal_id,
    environmentId: environment?.id,
    namespace,
    table,
    requestId: request_id,
    since,
    until,
  };
  const request = { filter, page: { limit, after: positionOf(ctx.position<Position>()) }, archive: ctx.deps.archive };
  const page = await readingArchive(listEvents(ctx.db, request), ARCHIVE);
  const isTargeted = principal_id !== undefined && principal_id.toLowerCase() !== ctx.caller.id;
  await recordActivity(ctx, {
    view: 'audit_log',
    object: INSTANCE,
    objectId: INSTANCE_ID,
    filters: {
      event_type: event_type ?? null,
      environment: name ?? null,
      since: since?.toISOString() ?? null,
      until: until?.toISOString() ?? null,
      limit,
      // Absent unless set, as in events of earlier versions.
      ...(namespace === undefined ? {} : { namespace }),
      ...(table === undefined ? {} : { table }),
      ...(request_id === undefined ? {} : { request_id }),
    },
    ...countOthers(ctx, page.items, (event) => event.principal_id),
    targetingKey: isTargeted ? { principal_id: principal_id.toLowerCase() } : null,
  });
  return new PageResponse(page.items.map(visibleEventFor(ctx)), page.next);
});

const verify = route(endpoints.verify, (ctx) => {
  const { headKeys: keys, settings, archive } = ctx.deps;
  return verifyChain(ctx.db, { keys, adoptUnsigned: settings.auditAdoptUnsigned, former: ctx.query.head, archive });
});

const exportLines = route(endpoints.exportEvents, async (ctx) => {
  const span = { since: ctx.query.since, until: ctx.now, archive: ctx.deps.archive };
  const { rows, others, people } = await readingArchive(
    countEvents(ctx.db, { ...span, readerId: ctx.caller.id }),
    ARCHIVE,
  );
  await recordActivity(ctx, {
    view: 'audit_log',
    object: INSTANCE,
    objectId: INSTANCE_ID,
    filters: {
      event_type: null,
      environment: null,
      since: span.since?.toISOString() ?? null,
      until: null,
      limit: null,
    },
    rowsShown: rows,
    othersShown: others,
    distinctOthers: people,
    targetingKey: null,
  });
  const lines = async function* () {
    const toVisible = visibleEventFor(ctx);
    for await (const event of exportEvents(ctx.db, span)) yield `${JSON.stringify(toVisible(event))}\n`;
    // Comes after the events, so that it covers every event that has a number.
    if (ctx.query.heads) yield `${JSON.stringify({ signed_head: await findSignedHead(ctx.db, ctx.deps.headKeys) })}\n`;
  };
  return new StreamResponse('application/x-ndjson', Readable.from(lines()));
});

export const auditRoutes: Route[] = [list, verify, exportLines];
