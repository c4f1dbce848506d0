import type { CurrentAccess } from '@svc/core/access-file';
import type { Grant, SvcClient } from '@svc/sdk';

/** The groups with their members, and all active grants. */
export async function readAccess(client: SvcClient): Promise<CurrentAccess> {
  const groups = new Map<string, readonly string[]>();
  for await (const { name } of client.groups.iter())
    groups.set(
      name,
      (await client.groups.members(name)).map((member) => member.name),
    );
  const grants: Grant[] = [];
  for await (const grant of client.grants.iter()) grants.push(grant);
  return { groups, grants };
}
