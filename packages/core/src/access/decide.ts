import { ACTIONS_OF, type Action, ADMIN_ONLY, appliesWithin, ROLE_ACTIONS, type Role } from './actions.ts';
import type { EffectiveGrant } from './effective-grant.ts';
import { GrantIndex } from './grant-index.ts';
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
export function grantsAction(
  grant: Pick<EffectiveGrant, 'role' | 'action' | 'scope' | 'only' | 'isNarrowed'>,
  action: Action,
): boolean {
  if (grant.only !== undefined && !grant.only.includes(action)) return false;
  if (grant.isNarrowed && ADMIN_ONLY.includes(action)) return false;
  const onInstance = grant.scope.kind === 'INSTANCE';
  if (grant.role === null) {
    if (grant.action !== action || ADMIN_ONLY.includes(action)) return false;
    return action !== 'READ_QUERY_TEXT' || onInstance;
  }
  if (ADMIN_ONLY.includes(action)) return grant.role === 'ADMIN' && onInstance;
  return ROLE_ACTIONS[grant.role].includes(action);
}

function denialReason(action: Action, object: ObjectScope, grants: readonly EffectiveGrant[]): string {
  if (ADMIN_ONLY.includes(action)) {
    const grantedAlone = grants.some((grant) => grant.action === action);
    const reason = `${action} needs the ADMIN role on the instance`;
    return grantedAlone ? `${reason}; granting it as a single action has no effect` : reason;
  }
  if (action === 'READ_QUERY_TEXT')
    return 'READ_QUERY_TEXT is not part of any role: grant it on the instance as a single action';
  return `no grant allows ${action} on ${scopeText(object)}`;
}

/**
 * The single access decision, shared by enforcement and the permissions answer (ACCESS-19). `grants` are the principal's
 * active grants; grants that don't cover the object are ignored.
 */
export function decide(grants: readonly EffectiveGrant[], action: Action, object: ObjectScope): Decision {
  const granting = findGranting(grants, action, object);
  if (granting.length === 0) return { allowed: false, via: [], reason: denialReason(action, object, grants) };
  return { allowed: true, via: viaOf(granting), reason: null };
}

/** The grants that allow one of the actions on an object, on something inside it or on everything that contains it. */
export const grantsWithin = (
  grants: readonly EffectiveGrant[],
  actions: readonly Action[],
  object: ObjectScope,
): EffectiveGrant[] =>
  grants.filter(
    (grant) =>
      (covers(grant.scope, object) || covers(object, grant.scope)) &&
      // A role on a table also carries actions on namespaces, which have no effect there.
      actions.some((action) => grantsAction(grant, action) && appliesWithin(action, grant.scope.kind)),
  );

/** Actions that apply to an environment or to something inside it. */
const INSIDE: ReadonlySet<Action> = new Set([...ACTIONS_OF.ENVIRONMENT, ...ACTIONS_OF.NAMESPACE, ...ACTIONS_OF.TABLE]);

/** Whether any grant allows something in an environment. Its holder may then learn that the environment exists. */
export function hasAnyActionIn(grants: readonly EffectiveGrant[], environment: string): boolean {
  return grants.some(
    (grant) =>
      (grant.scope.kind === 'INSTANCE' || grant.scope.environment === environment) &&
      [...INSIDE].some((action) => grantsAction(grant, action)),
  );
}

/** Below this number of grants, a linear scan is cheaper than building an index. */
const INDEX_THRESHOLD = 12;
const indexes = new WeakMap<readonly EffectiveGrant[], GrantIndex>();

function findGranting(grants: readonly EffectiveGrant[], action: Action, object: ObjectScope): EffectiveGrant[] {
  if (grants.length < INDEX_THRESHOLD)
    return grants.filter((grant) => covers(grant.scope, object) && grantsAction(grant, action));
  let index = indexes.get(grants);
  if (index === undefined) {
    // The index would not see grants added later, so the list is frozen.
    index = new GrantIndex(Object.freeze(grants), grantsAction);
    indexes.set(grants, index);
  }
  return index.find(action, object);
}

/** Grants as an answer lists them, oldest first (ACCESS-15). */
export function viaOf(granting: readonly EffectiveGrant[]): Via[] {
  return [...granting]
    .sort((a, b) => a.created_at - b.created_at || (a.grant_id < b.grant_id ? -1 : 1))
    .map(({ grant_id, role, scope, group }) => {
      const direct = role === null ? 'grant' : 'role';
      return { kind: group === null ? direct : 'group', grant_id, group, role, scope };
    });
}
