import { type Grant, scopeOf, scopeText } from '../access/index.ts';
import { type AccessFile, type FileGrant, grantKey } from './access-file.ts';

/** The groups with their members, and the active grants of an instance. */
export interface CurrentAccess {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly grants: readonly Grant[];
}

export type AccessChange =
  | { readonly change: 'add' | 'remove'; readonly what: 'group'; readonly group: string }
  | { readonly change: 'add' | 'remove'; readonly what: 'member'; readonly group: string; readonly principal: string }
  | { readonly change: 'add'; readonly what: 'grant'; readonly grant: FileGrant }
  | { readonly change: 'remove'; readonly what: 'grant'; readonly grant: FileGrant; readonly id: string };

/** A change as one line of a difference. */
export function changeText(change: AccessChange): string {
  const sign = change.change === 'add' ? '+' : '-';
  if (change.what === 'group') return `${sign} group ${change.group}`;
  if (change.what === 'member') return `${sign} member ${change.principal} of group ${change.group}`;
  const { grant } = change;
  const to = grant.group === undefined ? grant.principal : `group ${grant.group}`;
  const until = grant.expires_at === undefined ? '' : ` until ${grant.expires_at}`;
  return `${sign} ${grant.role ?? grant.action} on ${scopeText(scopeOf(grant))} to ${to}${until}`;
}

export function fileGrant(grant: Grant): FileGrant {
  const { principal, group, role, action, environment, namespace, table, service_account, expires_at } = grant;
  const parts = { principal, group, role, action, environment, namespace, table, service_account, expires_at };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value != null)) as FileGrant;
}

/**
 * The changes that make an instance match a file, in the order in which they can be made: what is added first, so that
 * nobody loses access in between that they keep. `unlisted`: what the instance has and the file doesn't, to be removed
 * last. A group that is removed takes its members and grants with it.
 */
export function compareAccess(
  current: CurrentAccess,
  file: AccessFile,
): { readonly changes: readonly AccessChange[]; readonly unlisted: readonly AccessChange[] } {
  const groups = compareGroups(current, file);
  const grants = compareGrants(current, file);
  return {
    changes: [...groups.added, ...grants.added, ...grants.replaced],
    unlisted: [...grants.unlisted, ...groups.unlisted],
  };
}

function compareGroups(current: CurrentAccess, file: AccessFile) {
  const added: AccessChange[] = [];
  const members: AccessChange[] = [];
  const unlisted: AccessChange[] = [];
  for (const [group, listed] of file.groups) {
    const present = current.groups.get(group);
    if (present === undefined) added.push({ change: 'add', what: 'group', group });
    const isMember = new Set(present ?? []);
    const isListed = new Set(listed);
    for (const principal of listed)
      if (!isMember.has(principal)) members.push({ change: 'add', what: 'member', group, principal });
    for (const principal of isMember)
      if (!isListed.has(principal)) unlisted.push({ change: 'remove', what: 'member', group, principal });
  }
  for (const group of current.groups.keys())
    if (!file.groups.has(group)) unlisted.push({ change: 'remove', what: 'group', group });
  return { added: [...added, ...members], unlisted };
}

const timeOf = ({ expires_at }: { readonly expires_at?: string | null | undefined }): number =>
  expires_at == null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);

function compareGrants(current: CurrentAccess, file: AccessFile) {
  const present = new Map<string, Grant[]>();
  for (const grant of current.grants) {
    const key = grantKey(fileGrant(grant));
    present.set(key, [...(present.get(key) ?? []), grant]);
  }
  const added: AccessChange[] = [];
  const replaced: AccessChange[] = [];
  const unlisted: AccessChange[] = [];
  const removal = (grant: Grant): AccessChange => ({
    change: 'remove',
    what: 'grant',
    grant: fileGrant(grant),
    id: grant.id,
  });
  for (const grant of file.grants) {
    const key = grantKey(grant);
    const found = present.get(key) ?? [];
    present.delete(key);
    const others = found.filter((other) => timeOf(other) !== timeOf(grant));
    const add: AccessChange = { change: 'add', what: 'grant', grant };
    if (found.length === 0) added.push(add);
    else if (others.length < found.length) replaced.push(...others.map(removal));
    else {
      // One that lasts longer would make the new one a duplicate, so it is removed first.
      const longer = others.filter((other) => timeOf(other) > timeOf(grant));
      const shorter = others.filter((other) => timeOf(other) < timeOf(grant));
      replaced.push(...longer.map(removal), add, ...shorter.map(removal));
    }
  }
  // A group that the file doesn't have is removed with its grants.
  for (const grant of [...present.values()].flat())
    if (grant.group === null || file.groups.has(grant.group)) unlisted.push(removal(grant));
  return { added, replaced, unlisted };
}
