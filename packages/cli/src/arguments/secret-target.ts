import { boolean, string } from '@oclif/core/flags';
import type { Secret, SecretTarget } from '@svc/sdk';
import { usageError } from '../cli-error.ts';

/** What uses a secret: one of these. */
export const targetFlags = {
  index: string({ description: 'package index that uses the secret', helpValue: 'INDEX' }),
  repository: string({ description: 'repository that uses the secret', helpValue: 'REPOSITORY' }),
  environment: boolean({ description: 'use the secret for its environment: storage or webhooks' }),
};

interface TargetFlags {
  index?: string | undefined;
  repository?: string | undefined;
  environment?: boolean;
}

/** @throws CliError if there is more than one */
export function parseTarget({ index, repository, environment }: TargetFlags): SecretTarget {
  const target: SecretTarget = {
    ...(index === undefined ? {} : { index }),
    ...(repository === undefined ? {} : { repository }),
    ...(environment ? { environment: true as const } : {}),
  };
  if (Object.keys(target).length > 1) {
    throw usageError('A secret serves one use only. Use one of --index, --repository and --environment.');
  }
  return target;
}

/** Describes what uses a secret. */
export function useText({ use, index, repository }: Secret): string {
  if (use === 'package-index') return `package index ${index}`;
  if (use === 'repository') return `repository ${repository}`;
  return use === null ? 'not bound' : 'its environment';
}
