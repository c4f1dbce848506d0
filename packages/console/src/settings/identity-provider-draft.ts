import type { IdentityProvider } from '@svc/sdk/browser';
import { svcCommand } from '../text/commands.ts';

/** The fields of the form as texts. */
export interface Draft {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly linkBy: IdentityProvider['link_by'];
  readonly createPeople: boolean;
  readonly domains: string;
  readonly groupsClaim: string;
  readonly groups: string;
  readonly active: boolean;
}

export const NEW_PROVIDER: Draft = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile email',
  linkBy: 'subject',
  createPeople: false,
  domains: '',
  groupsClaim: '',
  groups: '',
  active: true,
};

export const draftOf = (provider: IdentityProvider): Draft => ({
  name: provider.name,
  issuer: provider.issuer,
  clientId: provider.client_id,
  clientSecret: '',
  scopes: provider.scopes.join(' '),
  linkBy: provider.link_by,
  createPeople: provider.create_people,
  domains: provider.email_domains.join(' '),
  groupsClaim: provider.groups_claim ?? '',
  groups: provider.groups.map(({ value, group }) => `${value}=${group}`).join('\n'),
  active: provider.active,
});

const items = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The last "=" separates a value of the claim from the group, as on the command line. */
function mappingOf(line: string): { value: string; group: string } {
  const at = line.lastIndexOf('=');
  return { value: line.slice(0, at), group: line.slice(at + 1) };
}

/** What a request changes; an empty secret stays as it is. */
export const fieldsOf = (draft: Draft) => ({
  scopes: items(draft.scopes),
  link_by: draft.linkBy,
  create_people: draft.createPeople,
  email_domains: items(draft.domains),
  groups_claim: draft.groupsClaim === '' ? null : draft.groupsClaim,
  groups: lines(draft.groups).map(mappingOf),
  active: draft.active,
  ...(draft.clientSecret === '' ? {} : { client_secret: draft.clientSecret }),
});

/** The command with the same effect; a list that became empty is cleared. */
export function commandOf(draft: Draft, old: IdentityProvider | null): string {
  const domains = items(draft.domains);
  const groups = lines(draft.groups);
  const cleared = [
    ['email_domains', domains.length === 0 && (old?.email_domains.length ?? 0) > 0],
    ['groups_claim', draft.groupsClaim === '' && (old?.groups_claim ?? null) !== null],
    ['groups', groups.length === 0 && (old?.groups.length ?? 0) > 0],
  ] as const;
  const options = {
    'client-id': draft.clientId || 'ID',
    'client-secret-stdin': draft.clientSecret !== '',
    scope: items(draft.scopes),
    'link-by': draft.linkBy,
    'create-people': draft.createPeople,
    'no-create-people': !draft.createPeople && old !== null,
    'email-domain': domains,
    'groups-claim': draft.groupsClaim || undefined,
    group: groups,
    active: draft.active && old !== null,
    'no-active': !draft.active,
    clear: cleared.filter(([, isCleared]) => isCleared).map(([field]) => field),
  };
  const name = draft.name || 'NAME';
  return old === null
    ? svcCommand('identity-provider create', name, { issuer: draft.issuer || 'URL', ...options })
    : svcCommand('identity-provider update', name, options);
}

/** Whether each line has a value, "=" and a group. */
export const areMapped = (groups: string): boolean => lines(groups).every((line) => /.=./.test(line));
