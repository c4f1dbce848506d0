import { boolean, string } from '@oclif/core/flags';

/** What a token carries at most. */
export const tokenScopeFlags = {
  environment: string({
    description: 'environment in which the token works; repeatable (default: wherever the principal has permissions)',
    helpValue: 'ENV',
    multiple: true,
    multipleNonGreedy: true,
  }),
  action: string({
    description: 'action that the token carries; repeatable (default: all that the principal has)',
    helpValue: 'ACTION',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'read-only': boolean({
    description: 'the same as all actions that read tables and run queries',
    exclusive: ['action'],
  }),
};

interface ScopeFlags {
  environment?: string[] | undefined;
  action?: string[] | undefined;
  'read-only'?: boolean | undefined;
}

export async function tokenScope(flags: ScopeFlags) {
  return {
    environments: flags.environment,
    actions: flags['read-only'] ? await readOnlyActions() : flags.action,
  };
}

async function readOnlyActions(): Promise<string[]> {
  const { READ_ONLY_ACTIONS } = await import('@svc/core/access');
  return [...READ_ONLY_ACTIONS];
}
