import type { PrismaClient } from '../generated/client.ts';

/** The id of this database, which `newId` creates at the first call. */
export async function instanceId(prisma: PrismaClient, newId: () => string): Promise<string> {
  await prisma.instance.createMany({ data: { id: newId() }, skipDuplicates: true });
  const { id } = await prisma.instance.findUniqueOrThrow({ where: { singleton: true } });
  return id;
}
