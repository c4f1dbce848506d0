import { boolean, string } from '@oclif/core/flags';
import type { IdentityProvider } from '@svc/sdk';
import { usageError } from '../cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { readStdin } from '../terminal/stdin.ts';

/** Options of an identity provider, of the commands that create and change one. */
export const providerFlags = {
  'client-secret-stdin': boolean({ description: 'read the secret of the client from standard input' }),
  scope: string({
    description: 'scope to request; repeatable (default: openid, profile, email)',
    helpValue: 'SCOPE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'link-by': string({
    description: 'how an identity is linked to a person who exists (default: subject, only by an administrator)',
    options: ['subject', 'verified-email'],
  }),
  'create-people': boolean({ description: 'create people at their first sign-in', allowNo: true }),
  'email-domain': string({
    description: 'domain of verified addresses that may sign in for the first time; repeatable (default: any)',
    helpValue: 'DOMAIN',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'groups-claim': string({ description: 'claim with the groups of a person', helpValue: 'CLAIM' }),
  group: string({
    description: 'value of the claim, and the group that it adds people to; repeatable (the last "=" separates them)',
    helpValue: 'VALUE=GROUP',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'scim-account': string({
    description: 'service account with whose tokens the provider manages people and groups (default: none)',
    helpValue: 'NAME',
  }),
  active: boolean({ description: 'whether people can sign in with it (default: yes)', allowNo: true }),
};

/** Their values after parsing. */
interface ProviderOptions {
  readonly 'client-secret-stdin'?: boolean | undefined;
  readonly scope?: string[] | undefined;
  readonly 'link-by'?: string | undefined;
  readonly 'create-people'?: boolean | undefined;
  readonly 'email-domain'?: string[] | undefined;
  readonly 'groups-claim'?: string | undefined;
  readonly group?: string[] | undefined;
  readonly 'scim-account'?: string | undefined;
  readonly active?: boolean | undefined;
}

type ProviderFields = Partial<
  Pick<
    IdentityProvider,
    'scopes' | 'link_by' | 'create_people' | 'email_domains' | 'groups_claim' | 'groups' | 'scim_account' | 'active'
  >
> & { client_secret?: string };

/** The fields that the options set. @throws CliError */
export async function providerFields(io: Pick<Io, 'stdin'>, options: ProviderOptions): Promise<ProviderFields> {
  const {
    scope: scopes,
    'link-by': link_by,
    'create-people': create_people,
    'email-domain': email_domains,
    'groups-claim': groups_claim,
    'scim-account': scim_account,
    active,
  } = options;
  const fields = {
    scopes,
    link_by: link_by as IdentityProvider['link_by'] | undefined,
    create_people,
    email_domains,
    groups_claim,
    groups: options.group?.map(mappingOf),
    scim_account,
    active,
    client_secret: options['client-secret-stdin'] ? await readStdin(io) : undefined,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function mappingOf(text: string): { value: string; group: string } {
  const at = text.lastIndexOf('=');
  if (at > 0 && at < text.length - 1) return { value: text.slice(0, at), group: text.slice(at + 1) };
  throw usageError(`--group ${text}: write the value of the claim and the group, such as data-team=analysts.`);
}
