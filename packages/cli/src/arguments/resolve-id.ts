import { shellOption } from '@svc/core/command-lines';
import type { Page, SvcClient } from '@svc/sdk';
import { CliError, EXIT, usageError } from '../cli-error.ts';
import { time } from '../output/format.ts';

interface Candidate {
  id: string;
  created_at: string;
  status?: string;
}
/** `repository` restricts the project versions. */
type PageRequest = { limit: number; cursor?: string; repository?: string | undefined };

interface Listing {
  /** The command that lists them. */
  list: string;
  inEnvironment: boolean;
  newestFirst: boolean;
  fetchPage: (client: SvcClient, env: string, request: PageRequest) => Promise<Page<Candidate>>;
}

const LISTINGS = {
  run: {
    list: 'svc runs list',
    inEnvironment: true,
    newestFirst: true,
    fetchPage: (client, env, page) => client.runs.listPage(env, page),
  },
  query: {
    list: 'svc query list --all',
    inEnvironment: true,
    newestFirst: false,
    fetchPage: (client, env, page) => client.queries.listPage(env, { include_ended: true, ...page }),
  },
  deploy: {
    list: 'svc deploys list',
    inEnvironment: true,
    newestFirst: true,
    fetchPage: (client, env, page) => client.deploys.listPage(env, page),
  },
  'project version': {
    list: 'svc deploys list',
    inEnvironment: true,
    newestFirst: true,
    fetchPage: async (client, env, request) => {
      const { items, next_cursor } = await client.deploys.listPage(env, request);
      const versions = items.flatMap(({ project_version_id: id, created_at }) =>
        id === null ? [] : { id, created_at },
      );
      return { items: versions, next_cursor };
    },
  },
  grant: {
    list: 'svc grant list',
    inEnvironment: false,
    newestFirst: true,
    fetchPage: (client, _, page) => client.grants.listPage(page),
  },
  'access request': {
    list: 'svc access requests',
    inEnvironment: false,
    newestFirst: true,
    fetchPage: (client, _, page) => client.accessRequests.listPage(page),
  },
} satisfies Record<string, Listing>;

export type IdKind = keyof typeof LISTINGS;

const SHORT_ID = /^[0-9a-f-]{6,35}$/i;
/** How many records are searched, newest first. */
const MAX_SEARCHED = 1000;
const PAGE_ROWS = 200;
/** The newest record is nearly always the first one. */
const LATEST_ROWS = 10;
const MAX_LISTED = 10;

interface Source {
  client: SvcClient;
  /** The selected environment. @throws CliError if it is missing */
  environment: () => string;
  /** Of the project versions that are searched (default: any). */
  repository?: string | undefined;
}

/** The id that starts or ends with these characters, or the newest one for `latest`. Other texts are returned unchanged. */
export async function resolveId(
  kind: IdKind,
  text: string,
  { client, environment, repository }: Source,
): Promise<string> {
  const isLatest = text === 'latest';
  if (!isLatest && !SHORT_ID.test(text)) return text;
  const listing: Listing = LISTINGS[kind];
  const env = listing.inEnvironment ? environment() : null;
  const rows = isLatest && listing.newestFirst ? LATEST_ROWS : PAGE_ROWS;
  const short = text.toLowerCase();
  const filter = repository === undefined ? {} : { repository };
  const fetchPage = (page: PageRequest) => listing.fetchPage(client, env ?? '', { ...page, ...filter });
  // Several deploys may have the same project version.
  const found = new Map<string, Candidate>();
  for await (const candidate of candidatesOf(fetchPage, rows)) {
    const { id } = candidate;
    if (isLatest || id.startsWith(short) || id.endsWith(short)) found.set(id, candidate);
    if (isLatest && listing.newestFirst) break;
  }
  const matches = [...found.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const [newest] = matches;
  if (newest === undefined) throw notFound(kind, text, env);
  if (matches.length > 1 && !isLatest) throw ambiguous(text, matches);
  return newest.id;
}

async function* candidatesOf(
  fetchPage: (request: PageRequest) => Promise<Page<Candidate>>,
  rows: number,
): AsyncGenerator<Candidate> {
  let cursor: string | null = null;
  for (let searched = 0; searched < MAX_SEARCHED; searched += rows) {
    const page: Page<Candidate> = await fetchPage({ limit: rows, ...(cursor === null ? {} : { cursor }) });
    yield* page.items;
    cursor = page.next_cursor;
    if (cursor === null) return;
  }
}

function notFound(kind: IdKind, text: string, env: string | null): CliError {
  const { list } = LISTINGS[kind];
  const where = env === null ? '' : ` in ${env}`;
  const which = text === 'latest' ? '' : ` whose id starts or ends with "${text}"`;
  const remedy = env === null ? list : `${list} ${shellOption('env', env)}`;
  return new CliError(`There is no ${kind}${where}${which}.`, EXIT.notFound, remedy);
}

function ambiguous(text: string, matches: readonly Candidate[]): CliError {
  const lines = matches
    .slice(0, MAX_LISTED)
    .map(({ id, created_at, status }) => `  ${id}  ${time(created_at)}${status === undefined ? '' : `  ${status}`}`);
  const more = matches.length > MAX_LISTED ? [`  and ${matches.length - MAX_LISTED} more`] : [];
  return usageError(
    [
      `Several ids start or end with "${text}". Use more characters; the last ones differ most.`,
      ...lines,
      ...more,
    ].join('\n'),
  );
}
