import type { Action } from './actions.ts';
import type { EffectiveGrant } from './effective-grant.ts';
import { nameKey, type ObjectScope } from './objects.ts';

/** The grants on one object. Those that carry an action are found on first use and cached. */
class ObjectNode {
  readonly grants: EffectiveGrant[] = [];
  private readonly grantsByAction = new Map<Action, readonly EffectiveGrant[]>();

  collect(action: Action, grantsAction: GrantsAction, into: EffectiveGrant[]): void {
    let carrying = this.grantsByAction.get(action);
    if (carrying === undefined) {
      carrying = this.grants.filter((grant) => grantsAction(grant, action));
      this.grantsByAction.set(action, carrying);
    }
    for (const grant of carrying) into.push(grant);
  }
}

class NamespaceNode extends ObjectNode {
  readonly tables = new Map<string, ObjectNode>();
}

class EnvironmentNode extends ObjectNode {
  readonly namespaces = new Map<string, NamespaceNode>();
}

type GrantsAction = (grant: EffectiveGrant, action: Action) => boolean;

/** A principal's grants, indexed by object, so that a decision looks only at the objects that contain its own. */
export class GrantIndex {
  private readonly instance = new ObjectNode();
  private readonly environments = new Map<string, EnvironmentNode>();
  private readonly serviceAccounts = new Map<string, ObjectNode>();
  private readonly grantsAction: GrantsAction;

  constructor(grants: readonly EffectiveGrant[], grantsAction: GrantsAction) {
    this.grantsAction = grantsAction;
    for (const grant of grants) this.nodeFor(grant.scope).grants.push(grant);
  }

  private nodeFor({ kind, environment, namespace, table, service_account }: ObjectScope): ObjectNode {
    if (kind === 'INSTANCE') return this.instance;
    if (kind === 'SERVICE_ACCOUNT') return getOrCreate(this.serviceAccounts, service_account!, () => new ObjectNode());
    const environmentNode = getOrCreate(this.environments, environment!, () => new EnvironmentNode());
    if (kind === 'ENVIRONMENT') return environmentNode;
    const namespaceNode = getOrCreate(environmentNode.namespaces, nameKey(namespace!), () => new NamespaceNode());
    return kind === 'NAMESPACE'
      ? namespaceNode
      : getOrCreate(namespaceNode.tables, nameKey(table!), () => new ObjectNode());
  }

  /** The grants that cover the object and carry the action. */
  find(action: Action, { kind, environment, namespace, table, service_account }: ObjectScope): EffectiveGrant[] {
    const found: EffectiveGrant[] = [];
    this.instance.collect(action, this.grantsAction, found);
    if (service_account !== undefined)
      this.serviceAccounts.get(service_account)?.collect(action, this.grantsAction, found);
    const environmentNode = environment === null ? undefined : this.environments.get(environment);
    if (environmentNode === undefined) return found;
    environmentNode.collect(action, this.grantsAction, found);
    if (namespace === null || environmentNode.namespaces.size === 0) return found;
    const path = nameKey(namespace);
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1))
      environmentNode.namespaces.get(path.slice(0, end))?.collect(action, this.grantsAction, found);
    const namespaceNode = environmentNode.namespaces.get(path);
    namespaceNode?.collect(action, this.grantsAction, found);
    if (kind === 'TABLE') namespaceNode?.tables.get(nameKey(table!))?.collect(action, this.grantsAction, found);
    return found;
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, create: () => T): T {
  let found = map.get(key);
  if (found === undefined) {
    found = create();
    map.set(key, found);
  }
  return found;
}
