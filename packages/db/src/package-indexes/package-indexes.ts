import { ApiError } from '@svc/core/errors';
import type { PackageIndex } from '@svc/core/package-indexes';
import type { Transaction } from '../connection/index.ts';

interface StoredIndex extends Omit<PackageIndex, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

const indexRecord = ({ id, name, url, credential_secret, created_by, created_at, updated_at }: StoredIndex) => ({
  id,
  name,
  url,
  credential_secret,
  created_by,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** A name and a normalized URL each belong to one index (INDEX-8). The lock serializes registrations. */
async function requireFree(
  client: Transaction,
  { id, name, url }: { id: string; name: string; url: string },
): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('package indexes', 0))`;
  const taken = await client.packageIndex.findMany({
    where: { deleted_at: null, id: { not: id }, OR: [{ name }, { url }] },
    select: { name: true, url: true },
  });
  const namesake = taken.find((index) => index.name === name);
  const holder = taken.find((index) => index.url === url && index !== namesake);
  const problems = [
    namesake &&
      `A package index named ${name} is already registered with the URL ${namesake.url}. Choose another name, or change that index: svc index update.`,
    holder &&
      `The URL ${url} is already registered as the package index ${holder.name}. Use that index, or another URL.`,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new ApiError('already-exists', problems.join(' '));
}

/** @throws ApiError `already-exists` naming the index that has the name or the URL */
export async function createPackageIndex(
  client: Transaction,
  i: { id: string; name: string; url: string; credential_secret: string | null; createdBy: string; now: Date },
): Promise<PackageIndex> {
  await requireFree(client, i);
  const { id, name, url, credential_secret, createdBy: created_by, now } = i;
  const data = { id, name, url, credential_secret, created_by, created_at: now, updated_at: now };
  return indexRecord(await client.packageIndex.create({ data }));
}

export async function findPackageIndex(client: Transaction, name: string): Promise<PackageIndex | null> {
  const row = await client.packageIndex.findFirst({ where: { name, deleted_at: null } });
  return row && indexRecord(row);
}

/** Finds a package index and locks it until the transaction commits, so that what is checked against it stays true. */
export async function lockPackageIndex(client: Transaction, name: string): Promise<PackageIndex | null> {
  // NO KEY: requests that only store a reference to the row don't wait.
  const [row] = await client.$queryRaw<StoredIndex[]>`
    SELECT * FROM package_indexes WHERE name = ${name} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return row === undefined ? null : indexRecord(row);
}

/** Locks a package index against changes and removal until the transaction commits. @throws ApiError `not-found` */
export async function lockPackageIndexForShare(client: Transaction, id: string): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM package_indexes WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw new ApiError('not-found', 'The package index was removed while this request ran.');
}

/** Lists package indexes by name, in code point order. */
export async function listPackageIndexes(client: Transaction): Promise<PackageIndex[]> {
  const rows = await client.$queryRaw<StoredIndex[]>`
    SELECT * FROM package_indexes WHERE deleted_at IS NULL ORDER BY name COLLATE "C"`;
  return rows.map(indexRecord);
}

/** @throws ApiError `already-exists` naming the index that has the URL */
export async function updatePackageIndex(
  client: Transaction,
  i: { id: string; name: string; url: string; credential_secret: string | null; now: Date },
): Promise<PackageIndex> {
  await requireFree(client, i);
  const { id, url, credential_secret, now } = i;
  return indexRecord(
    await client.packageIndex.update({ where: { id }, data: { url, credential_secret, updated_at: now } }),
  );
}

export async function removePackageIndex(
  client: Transaction,
  { id, by, now }: { id: string; by: string; now: Date },
): Promise<void> {
  await client.packageIndex.update({ where: { id }, data: { deleted_at: now, deleted_by: by } });
}
