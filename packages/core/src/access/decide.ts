import { ACTIONS_OF, type Action, ADMIN_ONLY, ROLE_ACTIONS, type Role } from './actions.ts';
import type { HeldGrant } from './held-grant.ts';
import { HeldIndex } from './held-index.ts';
import { covers, type ObjectScope, scopeText } from './objects.ts';

export interface Via {
  kind: 'role' | 'grant' | 'group';
  grant_id: string;
  /** Name of the group for kind `group`, otherwise null. */
  group: string | null;
  role: Role | null;
  scope: ObjectScope;
}

export interface Decision {
  allowed: boolean;
  /** The grants that allow it, oldest first; empty when denied. */
  via: Via[];
  /** Why it is denied, or null. */
  reason: string | null;
}

/** Whether the grant carries the action, regardless of the object it is on. */
export function grantsAction(grant: Pick<HeldGrant, 'role' | 'action' | 'scope'>, action: Action): boolean {
  const onInstance = grant.scope.kind === 'INSTANCE';
  if (grant.role === null) {
    if (grant.action !== action || ADMIN_ONLY.includes(action)) return false;
    return action !== 'READ_QUERY_TEXT' || onInstance;
  }
  if (ADMIN_ONLY.includes(action)) return grant.role === 'ADMIN' && onInstance;
  return ROLE_ACTIONS[grant.role].includes(action);
}

function refusal(action: Action, object: ObjectScope, held: readonly HeldGrant[]): string {
  if (ADMIN_ONLY.includes(action)) {
    const single = held.some((grant) => grant.action === action);
    const needed = `${action} needs the ADMIN role on the instance`;
    return single ? `${needed}; granting it as a single action has no effect` : needed;
  }
  if (action === 'READ_QUERY_TEXT')
    return 'READ_QUERY_TEXT is not part of any role: grant it on the instance as a single action';
  return `no grant allows ${action} on ${scopeText(object)}`;
}

/**
 * The single access decision, shared by enforcement and the permissions answer (ACCESS-19). `held` are the principal's
 * active grants; grants that don't cover the object are ignored.
 */
export function decide(held: readonly HeldGrant[], action: Action, object: ObjectScope): Decision {
  const granting = grantingOf(held, action, object);
  if (granting.length === 0) return { allowed: false, via: [], reason: refusal(action, object, held) };
  return { allowed: true, via: viaOf(granting), reason: null };
}

/** Actions that apply to an environment or to something inside it. */
const INSIDE: ReadonlySet<Action> = new Set([...ACTIONS_OF.ENVIRONMENT, ...ACTIONS_OF.NAMESPACE, ...ACTIONS_OF.TABLE]);

/** Whether any grant allows something in an environment. Its holder may then learn that the environment exists. */
export function mayDoAnythingIn(held: readonly HeldGrant[], environment: string): boolean {
  return held.some(
    (grant) =>
      (grant.scope.kind === 'INSTANCE' || grant.scope.environment === environment) &&
      [...INSIDE].some((action) => grantsAction(grant, action)),
  );
}

/** Below this number of grants, a linear scan is cheaper than building an index. */
const INDEXED = 12;
const indexes = new WeakMap<readonly HeldGrant[], HeldIndex>();

function grantingOf(held: readonly HeldGrant[], action: Action, object: ObjectScope): HeldGrant[] {
  if (held.length < INDEXED) return held.filter((grant) => covers(grant.scope, object) && grantsAction(grant, action));
  let index = indexes.get(held);
  if (index === undefined) {
    // The index would not see grants added later, so the list is frozen.
    index = new HeldIndex(Object.freeze(held), grantsAction);
    indexes.set(held, index);
  }
  return index.granting(action, object);
}

/** Grants as an answer lists them, oldest first (ACCESS-15). */
export function viaOf(granting: readonly HeldGrant[]): Via[] {
  return [...granting]
    .sort((a, b) => a.created_at - b.created_at || (a.grant_id < b.grant_id ? -1 : 1))
    .map(({ grant_id, role, scope, group }) => {
      const alone = role === null ? 'grant' : 'role';
      return { kind: group === null ? alone : 'group', grant_id, group, role, scope };
    });
}
