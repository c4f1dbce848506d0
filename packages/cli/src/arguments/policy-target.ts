import { string } from '@oclif/core/flags';
import { usage } from '../exit.ts';

/** Whom a policy binds: one principal or one group. */
export const targetFlags = {
  principal: string({ description: 'whom it binds', helpValue: 'NAME', exclusive: ['group'] }),
  group: string({ description: 'the group it binds', helpValue: 'NAME' }),
};

/** @throws Failed when neither is named */
export function targetOf({ principal, group }: { principal?: string | undefined; group?: string | undefined }) {
  if (principal !== undefined) return { principal };
  if (group !== undefined) return { group };
  throw usage('Name whom it binds: --principal or --group.');
}

export function targetText({ principal, group }: { principal: string | null; group: string | null }): string {
  return principal ?? `group ${group}`;
}
