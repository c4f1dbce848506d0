import { listGrants } from '@svc/db/access';
import { listEvents } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import { listDeploys } from '@svc/db/deploys';
import { listQueries } from '@svc/db/queries';
import { listRuns } from '@svc/db/runs';
import { idOf } from '../database/ids.ts';
import { ENVIRONMENT, NEWEST, positionOf, RARE } from './fill.ts';

const LIMIT = 100;

/** Reads the page after a position, counted from the newest row; returns how many rows it has. */
type ReadPage = (client: Transaction, position: number) => Promise<number>;

export interface ListCase {
  name: string;
  /** True when the filter leaves one row in a thousand. */
  rare: boolean;
  read: ReadPage;
}

const paged =
  (
    kind: string,
    list: (
      client: Transaction,
      page: { limit: number; after: { at: Date; id: string } | null },
    ) => Promise<{ items: unknown[] }>,
  ): ReadPage =>
  async (client, position) =>
    (await list(client, { limit: LIMIT, after: position === 0 ? null : positionOf(kind, position) })).items.length;

const runs = (filter: object): ReadPage =>
  paged('f', (client, page) => listRuns(client, { filter: { environmentId: ENVIRONMENT, ...filter }, page }));
const deploys = (repositoryId: string | undefined): ReadPage =>
  paged('8', (client, page) => listDeploys(client, { environmentId: ENVIRONMENT, repositoryId, page }));
const grants = (filter: object): ReadPage =>
  paged('6', (client, page) => listGrants(client, { filter, page, now: new Date() }));
const events = (filter: object): ReadPage => paged('5', (client, page) => listEvents(client, { filter, page }));

// Half a second after the newest query: as if the pagination had started then.
const asOf = new Date(NEWEST.getTime() + 500);
const queries =
  (filter: object): ReadPage =>
  async (client, position) => {
    const { at, id } = positionOf('7', position);
    const after = position === 0 ? null : { asOf: asOf.toISOString(), rank: 2, at: at.toISOString(), id };
    const q = {
      filter: { environmentId: ENVIRONMENT, includeFinished: true, ...filter },
      limit: LIMIT,
      after,
      now: asOf,
    };
    return (await listQueries(client, q)).rows.length;
  };

const [repositoryId, principalId, tableId] = [idOf('a', RARE), idOf('c', RARE), idOf('b', RARE)];
const object = { kind: 'TABLE', environmentId: ENVIRONMENT, namespaceId: idOf('d', 0), tableId };

const all = (name: string, read: ReadPage): ListCase => ({ name, rare: false, read });
const rare = (name: string, read: ReadPage): ListCase => ({ name, rare: true, read });

export const CASES: readonly ListCase[] = [
  all('runs', runs({})),
  rare('runs by repository', runs({ repositoryId })),
  rare('runs by job', runs({ job: `job${RARE}` })),
  rare('runs by status', runs({ statuses: ['failed'] })),
  rare('runs by two statuses', runs({ statuses: ['failed', 'cancelled'] })),
  rare('runs by trigger', runs({ triggers: ['manual'] })),
  all('deploys', deploys(undefined)),
  rare('deploys by repository', deploys(repositoryId)),
  all('queries, including finished ones', queries({})),
  rare('queries by submitter', queries({ submitterId: principalId })),
  rare('queries by status', queries({ statuses: ['failed'] })),
  all('grants', grants({})),
  rare('grants by principal', grants({ principalId })),
  rare('grants by action', grants({ action: 'MAINTAIN_TABLE' })),
  rare('grants by object', grants({ object })),
  all('audit events', events({})),
  rare('audit events by type', events({ eventType: 'GRANT_CREATED' })),
  rare('audit events by principal', events({ principalId })),
];
