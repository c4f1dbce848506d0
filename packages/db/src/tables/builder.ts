import { Prisma } from '../generated/client.ts';

/**
 * The project that builds table `t` once it is called `name` (`<namespace>.<table>` in lower case), or null: the one whose
 * active version has an asset of that name (RETAIN-4).
 */
export const builderSql = (name: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT d.repository_id FROM deployments d JOIN project_versions v ON v.id = d.project_version_id,
    jsonb_to_recordset(v.assets) AS a(name text)
  WHERE d.environment_id = t.environment_id AND d.ended_at IS NULL AND lower(a.name) = ${name} LIMIT 1)`;
