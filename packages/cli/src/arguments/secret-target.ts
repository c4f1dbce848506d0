import { boolean, string } from '@oclif/core/flags';
import type { Secret, SecretTarget } from '@svc/sdk';
import { usage } from '../exit.ts';

/** A secret serves one use only. */
export const targetFlags = {
  index: string({ description: 'for this package index', helpValue: 'INDEX' }),
  repository: string({ description: 'for this repository', helpValue: 'REPOSITORY' }),
  environment: boolean({ description: 'for its environment: storage or webhooks' }),
};

interface TargetFlags {
  index?: string | undefined;
  repository?: string | undefined;
  environment?: boolean;
}

/** @throws Failed for more than one */
export function targetOf({ index, repository, environment }: TargetFlags): SecretTarget {
  const target: SecretTarget = {
    ...(index === undefined ? {} : { index }),
    ...(repository === undefined ? {} : { repository }),
    ...(environment ? { environment: true as const } : {}),
  };
  if (Object.keys(target).length > 1) {
    throw usage('A secret serves one use only: give one of --index, --repository and --environment.');
  }
  return target;
}

/** What a secret serves, in words. */
export function useText({ use, index, repository }: Secret): string {
  if (use === 'package-index') return `package index ${index}`;
  if (use === 'repository') return `repository ${repository}`;
  return use === null ? 'not bound' : 'its environment';
}
