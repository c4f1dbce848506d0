import { insertEvent, type NewEvent } from '../audit/index.ts';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface PolicyKey {
  kind: 'row_filter' | 'column_mask';
  id: string;
}

/** A field that a policy was created for: its path from the column down, and its Iceberg field id. */
export interface StoredField {
  path: string[];
  id: number;
}

const tableOf = ({ kind }: PolicyKey): Prisma.Sql =>
  kind === 'row_filter' ? Prisma.sql`row_filters` : Prisma.sql`column_masks`;

/** Stores the fields of a policy that has none yet. Only the first concurrent caller succeeds. */
export async function bindPolicy(
  client: Transaction,
  policy: PolicyKey,
  fields: readonly StoredField[],
): Promise<void> {
  await client.$executeRaw`
    UPDATE ${tableOf(policy)} SET fields = ${jsonText(fields)}::jsonb WHERE id = ${policy.id}::uuid AND fields IS NULL`;
}

/** Marks a policy as broken, with an event. Does nothing if it is marked already. */
export async function markBroken(client: Transaction, policy: PolicyKey, event: NewEvent): Promise<void> {
  await client.$executeRaw`
    WITH broken AS (
      UPDATE ${tableOf(policy)} SET broken_at = ${event.time}::timestamptz
      WHERE id = ${policy.id}::uuid AND broken_at IS NULL AND ended_at IS NULL RETURNING id
    ) ${insertEvent(event, Prisma.sql`FROM broken`)}`;
}

/** Clears the mark once the policy works again, so that the next failure writes a new event. */
export async function clearBroken(client: Transaction, policy: PolicyKey): Promise<void> {
  await client.$executeRaw`UPDATE ${tableOf(policy)} SET broken_at = NULL WHERE id = ${policy.id}::uuid`;
}
