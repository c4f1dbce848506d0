import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { QueryOrigin } from '@svc/core/queries';
import type { ApiDeps } from '../../http/deps.ts';
import { plainAddress } from '../../http/request/client-address.ts';
import { INTERNAL_ERROR, reportOf } from '../sessions/failures.ts';
import { Session } from '../sessions/session.ts';
import { fatal } from '../sessions/session-error.ts';
import { SessionSettings } from '../sessions/settings.ts';
import { sendWarnings } from '../sessions/warnings.ts';
import { MessageSink } from '../wire/message-sink.ts';
import { MessageSource } from '../wire/message-source.ts';
import * as server from '../wire/server-message.ts';
import type { StartupMessage } from '../wire/startup-message.ts';
import type { Connections, OpenConnection } from './connections.ts';
import type { ServiceClient } from './service-client.ts';
import { type SignedIn, signIn, signOut } from './sign-in.ts';

export interface ConnectionOptions {
  readonly deps: ApiDeps;
  readonly client: ServiceClient;
  readonly tls: SecureContext | null;
  readonly connections: Connections;
}

type Start = Extract<StartupMessage, { kind: 'start' }>;

/** How long a client may take until it has signed in. */
const SIGN_IN_MS = 60_000;
const KEY_BYTES = 4;
/** Bytes of a message: a statement with its parameters, or a piece of COPY. */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** One connection: TLS and sign-in, then its session. */
export class Connection implements OpenConnection {
  readonly pid: number;
  readonly key: Uint8Array;
  private readonly options: ConnectionOptions;
  private readonly address: string;
  private socket: Socket;
  private source: MessageSource;
  private sink: MessageSink;
  private session: Session | null = null;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.options = options;
    this.pid = options.connections.newPid();
    this.key = options.deps.random(KEY_BYTES);
    this.address = plainAddress(socket.remoteAddress ?? '');
    this.socket = socket;
    // A client that disappears is noticed by the end of its messages.
    socket.on('error', () => undefined);
    this.source = new MessageSource(socket);
    this.sink = new MessageSink(socket);
  }

  cancel(): void {
    this.session?.cancel();
  }

  drain(): void {
    if (this.session === null) this.socket.destroy();
    else this.session.drain();
  }

  close(): void {
    this.socket.destroy();
  }

  async run(): Promise<void> {
    const { connections, deps } = this.options;
    const timer = setTimeout(() => this.socket.destroy(), SIGN_IN_MS);
    connections.add(this);
    try {
      const start = await this.startup();
      if (start === null) return;
      const signedIn = await this.signIn(start);
      if (signedIn === null) return;
      clearTimeout(timer);
      await this.serve(start, signedIn).finally(() => signOut(this.options.client, signedIn));
    } catch (error) {
      const report = reportOf(error);
      if (report === null) deps.log.error({ err: error }, 'a PostgreSQL connection failed');
      this.sink.send(server.report({ ...(report ?? INTERNAL_ERROR), severity: 'FATAL' }));
      await this.sink.flush();
    } finally {
      clearTimeout(timer);
      connections.remove(this);
      this.socket.end();
      this.socket.destroySoon();
    }
  }

  /** The request for a session; null if the client wants something else. @throws ProtocolError, SessionError */
  private async startup(): Promise<Start | null> {
    let isEncrypted = false;
    for (;;) {
      const message = await this.source.startup();
      if (message === null) return null;
      if (message.kind === 'cancel') {
        this.options.connections.cancel(message.pid, message.key);
        return null;
      }
      if (message.kind === 'start') {
        if (!isEncrypted && !isLoopback(this.address)) throw this.needsTls();
        return message;
      }
      const { tls } = this.options;
      if (message.kind === 'ssl' && tls !== null && !isEncrypted) {
        await this.encrypt(tls);
        isEncrypted = true;
      } else this.socket.write('N');
    }
  }

  private needsTls() {
    const hint =
      this.options.tls === null
        ? 'The operator of the service must set SVC_SQL__TLS_CERT and SVC_SQL__TLS_KEY.'
        : 'Connect with sslmode=require.';
    return fatal('28000', 'connections from other machines must be encrypted', hint);
  }

  private async encrypt(secureContext: SecureContext): Promise<void> {
    this.source.detach();
    this.socket.write('S');
    const encrypted = new TLSSocket(this.socket, { isServer: true, secureContext });
    encrypted.on('error', () => this.socket.destroy());
    this.socket = encrypted;
    this.source = new MessageSource(encrypted);
    this.sink = new MessageSink(encrypted);
  }

  /** Null if the client leaves. @throws SessionError */
  private async signIn({ parameters }: Start): Promise<SignedIn | null> {
    const user = parameters.get('user') ?? '';
    if (user === '') throw fatal('28000', 'no PostgreSQL user name specified in startup packet');
    if (parameters.has('replication')) throw fatal('0A000', 'replication is not available');
    const database = parameters.get('database') || user;
    this.sink.send(server.REQUEST_PASSWORD);
    await this.sink.flush();
    const message = await this.source.next();
    if (message === null || message.kind === 'terminate') return null;
    if (message.kind !== 'password') throw fatal('08P01', 'expected a password');
    const { deps, client } = this.options;
    const { bootstrapToken } = deps.settings;
    return signIn(
      client,
      { user, database, password: message.text },
      { origin: this.origin(parameters), bootstrapToken },
    );
  }

  private origin(parameters: Start['parameters']): QueryOrigin {
    return { source: 'postgres', application: parameters.get('application_name') || null, address: this.address };
  }

  private async serve(start: Start, signedIn: SignedIn): Promise<void> {
    const { deps, client, connections } = this.options;
    const { parameters, minor } = start;
    const user = parameters.get('user')!;
    const release = connections.admit(user);
    try {
      const settings = new SessionSettings({ user, svcVersion: deps.version });
      const warnings = initialSettings(settings, parameters);
      const unknownOptions = [...parameters.keys()].filter((name) => name.startsWith('_pq_.'));
      if (minor > 0 || unknownOptions.length > 0) this.sink.send(server.negotiateVersion(unknownOptions));
      this.sink.send(
        server.AUTHENTICATION_OK,
        ...settings.reported().map(([name, value]) => server.parameterStatus(name, value)),
        server.backendKey(this.pid, this.key),
      );
      sendWarnings(this.sink, warnings);
      this.source.allow(MAX_MESSAGE);
      this.closeWhenIdle(deps.settings.sqlIdleSeconds);
      const isDraining = () => connections.isDraining;
      const { source, sink, pid } = this;
      const session = new Session({
        deps,
        source,
        sink,
        client,
        signedIn,
        settings,
        pid,
        isDraining,
        origin: this.origin(parameters),
      });
      this.session = session;
      // Nobody needs the rest of a statement whose client has left.
      this.socket.once('close', () => session.cancel());
      await session.run();
    } finally {
      release();
    }
  }

  private closeWhenIdle(seconds: number): void {
    if (seconds === 0) return;
    this.socket.setTimeout(seconds * 1000, () => {
      if (this.session?.isIdle === false) return;
      const message = 'terminating connection because it was idle for too long';
      this.sink.send(server.report({ severity: 'FATAL', code: '57P05', message }));
      void this.sink.flush();
      this.socket.destroySoon();
    });
  }
}

/**
 * Applies the settings that a client sends with its request, and returns the warnings. Unknown ones have no effect: drivers send
 * settings that their users don't know.
 *
 * @throws SessionError for a value that is refused
 */
function initialSettings(settings: SessionSettings, parameters: Start['parameters']): string[] {
  const options = [...(parameters.get('options') ?? '').matchAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|\S)*)/g)].map(
    ([, name, value]) => [name!.replaceAll('-', '_'), value!.replaceAll(/\\(.)/g, '$1')] as const,
  );
  const named = [...parameters].filter(([name]) => !CONNECTION_PARAMETERS.has(name) && !name.startsWith('_pq_.'));
  return [...named, ...options].flatMap(([name, value]) => {
    if (!settings.knows(name)) return [`"${name}" has no effect: svc has no such setting`];
    const { warning } = settings.set(name, value);
    // Java programs send their time zone with every connection.
    return warning === null || name.toLowerCase() === 'timezone' ? [] : [warning];
  });
}

const CONNECTION_PARAMETERS = new Set(['user', 'database', 'options', 'replication']);

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');
