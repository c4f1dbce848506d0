import {
  type Action,
  type Decision,
  decide,
  type EffectiveGrant,
  INSTANCE,
  includesEnvironment,
  narrowGrants,
  type ObjectScope,
  outsideScope,
  scopeOf,
  TASK_TOKEN_ACTIONS,
  type TokenScope,
} from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import { type AuthorizedRequest, type Caller, listEffectiveGrants, type ResolvedObject } from '@svc/db/access';
import { type NewEvent, recordEvent } from '@svc/db/audit';
import type { Transaction } from '@svc/db/connection';
import type { Request, Response } from 'express';
import type { ApiDeps } from './deps.ts';
import { type AccessDeniedError, accessDenied } from './guard/denial.ts';
import { protectedChangeError, protectedDeletionError } from './guard/protection.ts';
import { clientGone } from './response/client-gone.ts';
import { makeCursor, readCursor } from './response/cursors.ts';
import { spanOf } from './server/tracing.ts';

type Environment = NonNullable<ResolvedObject['environment']>;

export interface ContextInit {
  deps: ApiDeps;
  req: Request;
  res: Response;
  requestId: string;
  now: Date;
  listId: string;
  caller: Caller;
  /** The object names as the request spells them. */
  target: ObjectScope;
  object: ResolvedObject;
  grants: EffectiveGrant[];
  breakGlass: string | null;
}

/** The parts of an audit event besides its actor and time. */
export interface AuditInput {
  type: EventType;
  object?: ObjectScope;
  environmentId?: string | null;
  detail: Record<string, unknown>;
}

/** An authorized request, as its handler sees it. */
export class Context<P = unknown, Q = unknown, B = unknown> {
  readonly deps: ApiDeps;
  readonly req: Request;
  readonly res: Response;
  readonly requestId: string;
  readonly now: Date;
  readonly caller: Caller;
  readonly target: ObjectScope;
  readonly object: ResolvedObject;
  readonly grants: readonly EffectiveGrant[];
  /** The reason given for break-glass in a protected environment, or null. */
  readonly breakGlass: string | null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** A transaction for changes, plain connections for reads. */
  db: Transaction;
  private readonly init: ContextInit;

  constructor(init: ContextInit, input: { params: P; query: Q; body: B }) {
    this.deps = init.deps;
    this.req = init.req;
    this.res = init.res;
    this.requestId = init.requestId;
    this.now = init.now;
    this.init = init;
    this.caller = init.caller;
    this.target = init.target;
    this.object = init.object;
    this.grants = init.grants;
    this.breakGlass = init.breakGlass;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.db = init.deps.db.prisma;
  }

  withBody<B2>(body: B2): Context<P, Q, B2> {
    return new Context(this.init, { params: this.params, query: this.query, body });
  }

  /** The same request with the credential, rights and objects of a later time. */
  renewed(found: AuthorizedRequest, now: Date): Context<P, Q, B> {
    return new Context({ ...this.init, ...found, now }, { params: this.params, query: this.query, body: this.body });
  }

  /** The same caller on the first page of another route, so that the cursors issued here work there. */
  at<P2, Q2>(listId: string, params: P2, query: Q2): Context<P2, Q2, undefined> {
    return new Context({ ...this.init, listId }, { params, query, body: undefined });
  }

  /** The environment named in the path. It exists once the request is authorized. */
  get environment(): Environment {
    return existing(this.object.environment);
  }

  /** The URL prefix for the files of new tables in the environment. */
  get storageRoot(): string {
    return this.environment.storage_location ?? this.deps.store.root;
  }

  get namespace(): NonNullable<ResolvedObject['namespace']> {
    return existing(this.object.namespace);
  }

  get table(): NonNullable<ResolvedObject['table']> {
    return existing(this.object.table);
  }

  /** The table of the path as messages name it. */
  get tableName(): string {
    return `${this.namespace.path}.${this.table.name}`;
  }

  get insideRun(): boolean {
    const { token } = this.caller;
    return token.kind === 'task' && token.run_id !== null && token.task_id !== null;
  }

  /** The trace that work stored by this request continues; null when tracing is off. */
  get traceparent(): string | null {
    return spanOf(this.res)?.traceparent ?? null;
  }

  get isTask(): boolean {
    return this.caller.token.kind === 'task';
  }

  /**
   * Decides on an object named in the path or one that contains it. A task token, or one with a scope, carries only part of its
   * principal's rights.
   */
  decide(action: Action, on: ObjectScope = this.target, grants: readonly EffectiveGrant[] = this.grants): Decision {
    const decision = this.tokenLimit(action, on) ?? decide(grants, action, on);
    this.noteUse(decision.via);
    return decision;
  }

  /** The most that the caller's token carries; null if it has no scope. */
  get tokenScope(): TokenScope | null {
    return this.caller.token.scope;
  }

  /** The decision that denies an action to the caller's token regardless of its principal's rights; null if the token allows it. */
  tokenLimit(action: Action, on: ObjectScope = this.target): Decision | null {
    const reason = outsideScope(this.tokenScope, action, on);
    return this.taskLimit(action, on) ?? (reason === null ? null : { allowed: false, via: [], reason });
  }

  /**
   * Whether the caller's token includes the environment of the request, whatever actions it carries: that of its scope, and of a task
   * token the one to which it is bound.
   */
  isInScope(): boolean {
    if (this.isTask && this.caller.token.environment_id !== (this.object.environment?.id ?? null)) return false;
    return this.tokenScope === null || includesEnvironment(this.tokenScope, this.target);
  }

  /**
   * Whether the caller has what it may do as the owner of something. Task tokens don't have it, and others only for an action that
   * their scope includes.
   */
  isOwner(ownerId: string | null | undefined, action: Action, on: ObjectScope = this.target): boolean {
    return !this.isTask && ownerId === this.caller.id && this.tokenLimit(action, on) === null;
  }

  /**
   * The decision that denies an action to a task token regardless of its principal's rights; null if the token allows
   * it or isn't a task token.
   */
  taskLimit(action: Action, on: ObjectScope): Decision | null {
    if (!this.isTask) return null;
    const deny = (reason: string): Decision => ({ allowed: false, via: [], reason });
    if (!TASK_TOKEN_ACTIONS.includes(action)) return deny(`a task token never carries ${action}`);
    const bound = this.caller.token.environment_id;
    if (on.environment === null || (bound !== null && bound === this.object.environment?.id)) return null;
    if (bound !== null || on.environment !== this.target.environment)
      return deny('the task token is bound to another environment');
    // Not bound yet: the environment is unknown, or the principal can do nothing in it. Without rights, both have the same reason.
    return decide(this.grants, action, on).allowed
      ? deny('there is no such environment to bind the task token to')
      : null;
  }

  /** @throws AccessDeniedError, which the pipeline records */
  require(action: Action, on: ObjectScope = this.target, grants: readonly EffectiveGrant[] = this.grants): void {
    const decision = this.decide(action, on, grants);
    if (!decision.allowed) throw this.denied(action, on, decision.reason ?? 'it is not granted');
  }

  /** Records the use of grants that allow something without a decision, such as those that a list is filtered by. */
  noteUse(grants: readonly { grant_id: string }[]): void {
    this.deps.grantUses.note(grants, this.now);
  }

  denied(action: Action, on: ObjectScope, reason: string, environmentId?: string): AccessDeniedError {
    const isScoped = outsideScope(this.tokenScope, action, on) !== null;
    const instead = this.taskLimit(action, on) !== null ? 'Use your own token.' : isScoped ? WIDER_TOKEN : null;
    return accessDenied({ principal: this.caller.name, instead, environmentId }, action, on, reason);
  }

  /**
   * All grants of the caller in the environment of the path, or in every environment for null, as far as the token's scope includes
   * them.
   */
  async listGrants(
    environmentId: string | null = this.object.environment?.id ?? null,
    { db = this.db, now = this.now }: { db?: Transaction; now?: Date } = {},
  ): Promise<EffectiveGrant[]> {
    const grants = await listEffectiveGrants(db, { principalId: this.caller.id, environmentId, now });
    return narrowGrants(grants, this.tokenScope);
  }

  /** Table changes outside a run of the deployed project need break-glass in a protected environment (`ENV-5`). */
  requireUnprotected(action: Action, on: ObjectScope = this.target): void {
    if (this.isProtected) throw protectedChangeError(this.environment.name, action, on);
  }

  /** Deleting a protected environment needs break-glass, too. */
  requireDeletable(): void {
    if (this.isProtected) throw protectedDeletionError(this.environment.name, this.target);
  }

  /** Whether the environment is protected from this request. */
  get isProtected(): boolean {
    return this.environment.protected && !this.insideRun && this.breakGlass === null;
  }

  /** Writes the audit event of this change in its transaction. */
  audit(event: AuditInput): Promise<void> {
    return recordEvent(this.db, this.event(event));
  }

  /** The audit event of this change, for a single statement that writes both. */
  event(event: AuditInput): NewEvent {
    const object = event.object ?? INSTANCE;
    const detail =
      this.breakGlass === null ? event.detail : { ...event.detail, break_glass: { reason: this.breakGlass } };
    return {
      id: this.deps.newId(),
      time: this.now,
      type: event.type,
      principal: { id: this.caller.id, name: this.caller.name },
      object,
      environmentId:
        event.environmentId ?? (object.environment === null ? null : (this.object.environment?.id ?? null)),
      requestId: this.requestId,
      detail,
    };
  }

  /**
   * Polls until the work `{id}`, or the work just started, has finished, the seconds of `?wait=` have passed, or the
   * client has disconnected. `local` is passed on for work that this process itself does.
   */
  waitUntilFinished<T>(wait: {
    load: () => Promise<T>;
    isFinished: (t: T) => boolean;
    startedId?: string;
    local?: Promise<T | undefined> | undefined;
  }): Promise<T> {
    const id = wait.startedId ?? (this.params as { id: string }).id.toLowerCase();
    const { wait: seconds } = this.query as { wait: number };
    const started = wait.startedId !== undefined;
    return this.deps.waiter.untilFinished({ ...wait, id, started, seconds, signal: clientGone(this.res) });
  }

  /** The position stored in the request's cursor, or null for the first page. */
  position<T>(): T | null {
    const { cursor } = this.query as { cursor?: string };
    return cursor === undefined ? null : (readCursor(this.deps.keys.cursor, this.binding(), cursor) as T);
  }

  cursorAt(position: unknown): string {
    return makeCursor(this.deps.keys.cursor, this.binding(), position);
  }

  private binding() {
    const { cursor: _, ...filters } = this.query as Record<string, unknown>;
    return { list: this.init.listId, filters: [this.params, filters] };
  }

  /** The scope of the path's environment with the given namespace and table. */
  scope(names: { namespace?: string; table?: string } = {}): ObjectScope {
    return scopeOf({ environment: this.target.environment, ...names });
  }
}

const WIDER_TOKEN = 'Use a token without a scope, or with a scope that includes it.';

function existing<T>(value: T | null): T {
  if (value === null) throw new Error('the route did not authorize on the object it uses');
  return value;
}
