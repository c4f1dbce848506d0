/**
 * The namespace in which the catalog shows staging tables to the account of an engine. It isn't stored: other principals see whatever
 * has that name.
 */
export const STAGING_NAMESPACE = 'svc_staging';

const NAME = /^s_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The name of a staging table. */
export const stagingName = (id: string): string => `s_${id.replaceAll('-', '').toLowerCase()}`;

/** The id of the staging table with this name; null for any other name. */
export function stagingId(name: string): string | null {
  const parts = NAME.exec(name);
  return parts === null ? null : parts.slice(1).join('-');
}
