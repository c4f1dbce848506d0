/** What a query shows that reads a table as another principal sees it (ACCESS-29). */
export interface QueryPreview {
  readonly principal_id: string;
  /** Its name when the preview was requested. */
  readonly principal: string;
  readonly namespace: string;
  readonly table: string;
  readonly limit: number;
}

/**
 * The text of such a query in lists and events. It isn't a statement, so that a worker of an earlier version, which would run it with the
 * rights of its submitter only, can't run it (ACCESS-32).
 */
export const previewText = ({ principal, namespace, table, limit }: QueryPreview): string =>
  `PREVIEW ${namespace}.${table} AS ${JSON.stringify(principal)} LIMIT ${limit}`;
