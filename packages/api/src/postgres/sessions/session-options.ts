import type { QueryOrigin } from '@svc/core/queries';
import type { ApiDeps } from '../../http/deps.ts';
import type { ServiceClient } from '../connections/service-client.ts';
import type { SignedIn } from '../connections/sign-in.ts';
import type { MessageSink } from '../wire/message-sink.ts';
import type { MessageSource } from '../wire/message-source.ts';
import type { SessionSettings } from './settings.ts';

/** What a session works with. */
export interface SessionOptions {
  readonly deps: Pick<ApiDeps, 'log' | 'results' | 'store'>;
  readonly source: MessageSource;
  readonly sink: MessageSink;
  readonly client: ServiceClient;
  readonly signedIn: SignedIn;
  readonly origin: QueryOrigin;
  readonly settings: SessionSettings;
  readonly pid: number;
  readonly isDraining: () => boolean;
}
