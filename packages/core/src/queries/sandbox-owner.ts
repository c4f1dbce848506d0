import type { Action } from '../access/index.ts';

/**
 * The owner of a sandbox process, which serves the statements of one owner, one after the other: one principal in one environment,
 * with tokens that carry the same actions.
 */
export function sandboxOwner(
  environmentId: string,
  principalId: string,
  tokenActions: readonly Action[] | null = null,
): string {
  const owner = `${environmentId} ${principalId}`;
  return tokenActions === null ? owner : `${owner} ${[...tokenActions].sort().join()}`;
}
