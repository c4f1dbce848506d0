import type { Action } from './actions.ts';
import type { HeldGrant } from './held-grant.ts';
import { nameKey, type ObjectScope } from './objects.ts';

/** The grants on one object. Those that carry an action are found on first use and cached. */
class OnObject {
  readonly grants: HeldGrant[] = [];
  private readonly giving = new Map<Action, readonly HeldGrant[]>();

  collect(action: Action, grantsAction: GrantsAction, into: HeldGrant[]): void {
    let giving = this.giving.get(action);
    if (giving === undefined) {
      giving = this.grants.filter((grant) => grantsAction(grant, action));
      this.giving.set(action, giving);
    }
    for (const grant of giving) into.push(grant);
  }
}

class InNamespace extends OnObject {
  readonly tables = new Map<string, OnObject>();
}

class InEnvironment extends OnObject {
  readonly namespaces = new Map<string, InNamespace>();
}

type GrantsAction = (grant: HeldGrant, action: Action) => boolean;

/** A principal's grants, indexed by object, so that a decision looks only at the objects that contain its own. */
export class HeldIndex {
  private readonly instance = new OnObject();
  private readonly environments = new Map<string, InEnvironment>();
  private readonly grantsAction: GrantsAction;

  constructor(held: readonly HeldGrant[], grantsAction: GrantsAction) {
    this.grantsAction = grantsAction;
    for (const grant of held) this.place(grant.scope).grants.push(grant);
  }

  private place({ kind, environment, namespace, table }: ObjectScope): OnObject {
    if (kind === 'INSTANCE') return this.instance;
    const inside = madeIn(this.environments, environment!, () => new InEnvironment());
    if (kind === 'ENVIRONMENT') return inside;
    const within = madeIn(inside.namespaces, nameKey(namespace!), () => new InNamespace());
    return kind === 'NAMESPACE' ? within : madeIn(within.tables, nameKey(table!), () => new OnObject());
  }

  /** The grants that cover the object and carry the action. */
  granting(action: Action, { kind, environment, namespace, table }: ObjectScope): HeldGrant[] {
    const found: HeldGrant[] = [];
    this.instance.collect(action, this.grantsAction, found);
    const inside = kind === 'INSTANCE' ? undefined : this.environments.get(environment!);
    if (inside === undefined) return found;
    inside.collect(action, this.grantsAction, found);
    if (namespace === null || inside.namespaces.size === 0) return found;
    const path = nameKey(namespace);
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1))
      inside.namespaces.get(path.slice(0, end))?.collect(action, this.grantsAction, found);
    const within = inside.namespaces.get(path);
    within?.collect(action, this.grantsAction, found);
    if (kind === 'TABLE') within?.tables.get(nameKey(table!))?.collect(action, this.grantsAction, found);
    return found;
  }
}

function madeIn<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}
