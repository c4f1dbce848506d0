import type { Settings } from '@svc/core/settings';
import type { Slots } from '@svc/core/workers';
import type { Authorize, GrantUses, TokenUse, Uses } from '@svc/db/access';
import type { HeadKeys } from '@svc/db/audit';
import type { Database } from '@svc/db/connection';
import type { LocalDispatcher } from '@svc/db/queries';
import type { SealingKeys } from '@svc/db/secrets';
import type { AuditArchive } from '@svc/lake/audit';
import type { ResultReader, Sandbox } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { EventHub } from '../events/index.ts';
import type { ProviderClients } from '../identity-providers/provider-clients.ts';
import type { Keys } from './keys.ts';
import type { Waiter } from './response/waiter.ts';
import type { Drain } from './server/drain.ts';
import type { Limiter } from './server/limiter.ts';
import type { Metrics } from './server/metrics.ts';

/** Everything the API depends on; there is no global state. */
export interface ApiDeps {
  db: Database;
  authorize: Authorize;
  store: ObjectStore;
  results: ResultReader;
  /** The archived parts of the audit log. */
  archive: AuditArchive;
  /** Reads the files of external tables. */
  sandbox: Sandbox;
  settings: Settings;
  log: Logger;
  keys: Keys;
  /** Encrypt secrets. */
  sealing: SealingKeys;
  /** Verify signed heads of the audit log. */
  headKeys: HeadKeys;
  metrics: Metrics;
  /** Exposed on the same endpoint: the metrics of a worker in the same process. */
  furtherMetrics?: Registry | undefined;
  waiter: Waiter;
  /** Streams of what changes. */
  events: EventHub;
  /** Where clients of the PostgreSQL protocol connect; null until the endpoint listens, and if it is off. */
  sqlPort: number | null;
  /** Clients of identity providers. */
  providers: ProviderClients;
  drain: Drain;
  /** By token. */
  limiter: Limiter;
  /** Records when tokens are used. */
  tokenUses: Uses<TokenUse>;
  grantUses: GrantUses;
  /** By network of the client, for routes without a caller. */
  anonymousLimiter: Limiter;
  /** For statements about the catalog, which run in this process. */
  catalogSlots: Slots;
  /** Hands queries to a worker in the same process. */
  dispatcher: LocalDispatcher;
  clock: () => Date;
  random: (bytes: number) => Uint8Array;
  newId: () => string;
  version: string;
  /** Validates every response against its schema; for tests. */
  validateResponses: boolean;
}
