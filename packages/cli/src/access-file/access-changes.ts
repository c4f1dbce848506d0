import { scopeOf, scopeText } from '@svc/core/access';
import type { AccessChange, FileGrant } from '@svc/core/access-file';
import { NotFound, type SvcClient, SvcError } from '@svc/sdk';

/** Codes of a change that someone else has made since the access was read. */
const ADDED_ALREADY = ['already-exists', 'duplicate-grant'];

/** Makes one change, unless it has been made in the meantime. */
export async function makeAccessChange(client: SvcClient, change: AccessChange): Promise<void> {
  const isAdded = change.change === 'add';
  await make(client, change).catch((error: unknown) => {
    const isMade = isAdded
      ? error instanceof SvcError && ADDED_ALREADY.includes(error.code)
      : error instanceof NotFound;
    if (!isMade) throw error;
  });
}

async function make(client: SvcClient, change: AccessChange): Promise<void> {
  const isAdded = change.change === 'add';
  if (change.what === 'group') {
    await (isAdded ? client.groups.create(change.group) : client.groups.delete(change.group));
  } else if (change.what === 'member') {
    const { group, principal } = change;
    await (isAdded ? client.groups.addMember(group, principal) : client.groups.removeMember(group, principal));
  } else if (change.change === 'remove') await client.grants.revoke(change.id);
  else await client.grants.create({ kind: scopeOf(change.grant).kind, ...change.grant });
}

/** Names in changes that don't exist, as sentences: found before the first change is made. */
export async function unknownNames(client: SvcClient, changes: readonly AccessChange[]): Promise<string[]> {
  const added = changes.filter(({ change }) => change === 'add');
  const grants = added.flatMap((change) => (change.what === 'grant' ? [change.grant] : []));
  const members = added.flatMap((change) => (change.what === 'member' ? [change.principal] : []));
  const principals = new Set([...members, ...grants.flatMap(({ principal }) => principal ?? [])]);
  const problems: string[] = [];
  const check = async (request: () => Promise<unknown>, problem: string) => {
    await request().catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      problems.push(problem);
    });
  };
  for (const name of principals) await check(() => client.principals.get(name), `There is no principal ${name}.`);
  const objects = new Map(grants.map((grant) => [scopeText(scopeOf(grant)), grant]));
  for (const [text, grant] of objects)
    await check(() => client.grants.listPage({ ...namesOf(grant), limit: 1 }), `There is no ${text}.`);
  return problems;
}

const namesOf = ({ environment, namespace, table, service_account }: FileGrant) => ({
  environment,
  namespace,
  table,
  service_account,
});
