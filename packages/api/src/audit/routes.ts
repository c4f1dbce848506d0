import { EVENT_TYPES, type EventType, auditEndpoints as endpoints } from '@svc/core/audit';
import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { listEvents } from '@svc/db/audit';
import { findEnvironment } from '@svc/db/environments';
import type { Position } from '@svc/db/paging';
import { notFound } from '../http/context.ts';
import { positionOf } from '../http/position.ts';
import { PageAnswer, type Route, route } from '../http/route.ts';

const list = route(endpoints.listEvents, async (ctx) => {
  const { event_type, principal_id, environment: name, since, until, limit } = ctx.query;
  if (event_type !== undefined && !EVENT_TYPES.includes(event_type as EventType)) {
    throw invalid({ parameter: 'event_type' }, `must be one of ${EVENT_TYPES.join(', ')}`);
  }
  if (principal_id !== undefined && !isUuid(principal_id))
    throw invalid({ parameter: 'principal_id' }, 'must be the id of a principal');
  const environment = name === undefined ? null : await findEnvironment(ctx.db, name);
  if (name !== undefined && environment === null) throw notFound('environment', name);
  const filter = {
    eventType: event_type as EventType | undefined,
    principalId: principal_id,
    environmentId: environment?.id,
    since,
    until,
  };
  const page = await listEvents(ctx.db, { filter, page: { limit, after: positionOf(ctx.position<Position>()) } });
  return new PageAnswer(page.items, page.next);
});

export const auditRoutes: Route[] = [list];
