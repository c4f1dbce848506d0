import { string } from '@oclif/core/flags';
import { usageError } from '../cli-error.ts';

/** The principal or the group that a policy applies to. */
export const targetFlags = {
  principal: string({ description: 'principal that the policy applies to', helpValue: 'NAME', exclusive: ['group'] }),
  group: string({ description: 'group that the policy applies to', helpValue: 'NAME' }),
};

export const replaceFlag = {
  replace: string({ description: 'id of a policy that the new one replaces at the same moment', helpValue: 'ID' }),
};

/** @throws CliError if there is neither */
export function parseTarget({ principal, group }: { principal?: string | undefined; group?: string | undefined }) {
  if (principal !== undefined) return { principal };
  if (group !== undefined) return { group };
  throw usageError('Specify who the policy applies to: --principal or --group.');
}

export function targetText({ principal, group }: { principal: string | null; group: string | null }): string {
  return principal ?? `group ${group}`;
}
