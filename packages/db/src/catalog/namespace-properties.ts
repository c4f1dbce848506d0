import type { Transaction } from '../connection/index.ts';

/** The property in which engines store a namespace's description. */
const COMMENT = 'comment';

export type Properties = Record<string, string>;

const merged = (properties: unknown, description: string | null): Properties => ({
  ...(properties as Properties),
  ...(description === null ? {} : { [COMMENT]: description }),
});

/** The properties of a namespace, with its description. Returns null if it was dropped concurrently. */
export async function namespaceProperties(client: Transaction, id: string): Promise<Properties | null> {
  const row = await client.namespace.findFirst({
    where: { id, dropped_at: null },
    select: { properties: true, description: true },
  });
  return row && merged(row.properties, row.description);
}

/** Like `namespaceProperties`, and locks the row until the transaction commits. */
export async function lockNamespaceProperties(client: Transaction, id: string): Promise<Properties | null> {
  await client.$executeRaw`SELECT 1 FROM namespaces WHERE id = ${id}::uuid FOR UPDATE`;
  return namespaceProperties(client, id);
}

/** Replaces all properties. */
export async function setNamespaceProperties(
  client: Transaction,
  { id, properties }: { id: string; properties: Properties },
): Promise<void> {
  const { [COMMENT]: description = null, ...rest } = properties;
  await client.namespace.update({ where: { id }, data: { properties: rest, description } });
}
