import type { EventDefinition } from './definition.ts';

const RETENTION = ['table_id', 'days', 'on', 'shortened', 'previous', 'expires_at'];

const SAVED_QUERY_NOTES = {
  name: 'null while the query is private',
  sql_text: 'SHA-256 and length of the statement',
};

/** Events of namespaces, tables, views and queries. */
export const TABLE_EVENTS = {
  NAMESPACE_CREATED: {
    recorded: 'a namespace was created',
    fields: ['namespace_id', 'path', 'deploy_id'],
    notes: { deploy_id: 'if a deploy created it' },
  },
  NAMESPACE_DELETED: {
    recorded: 'a namespace was dropped',
    fields: ['namespace_id', 'path'],
  },
  NAMESPACE_UPDATED: {
    recorded: 'the description of a namespace changed',
    fields: ['changed'],
  },
  ORPHANED_LOCATIONS_REMOVED: {
    recorded: 'orphaned folders were removed from storage',
    fields: ['locations', 'files', 'bytes'],
  },
  QUERY_CANCEL_REQUESTED: {
    recorded: "someone cancelled another person's query",
    fields: ['query_id', 'submitter'],
  },
  QUERY_COMPLETED: {
    recorded: 'a query finished, failed or was cancelled',
    fields: ['query_id', 'status', 'tables'],
    content: ['sql_text', 'params'],
  },
  SAVED_QUERY_CREATED: {
    recorded: 'a query was saved',
    fields: ['saved_query_id', 'name', 'shared', 'sql_text'],
    notes: SAVED_QUERY_NOTES,
  },
  SAVED_QUERY_DELETED: {
    recorded: 'a saved query was deleted',
    fields: ['saved_query_id', 'owner', 'name', 'shared', 'sql_text'],
    notes: SAVED_QUERY_NOTES,
  },
  SAVED_QUERY_UPDATED: {
    recorded: 'a saved query changed',
    fields: ['saved_query_id', 'owner', 'name', 'shared', 'changed', 'sql_text'],
    notes: SAVED_QUERY_NOTES,
  },
  TABLE_CREATED: {
    recorded: 'a table or artifact was created',
    fields: ['table_id', 'name', 'kind', 'columns', 'location'],
  },
  TABLE_CREDENTIALS_ISSUED: {
    recorded: 'an engine received temporary credentials for the files of a table',
    fields: ['table_id', 'location', 'access', 'reads', 'access_key_id', 'expires_at'],
    notes: {
      access: 'any of read, write, remove',
      reads: 'for a change on another engine: the folder of the changed table, which they read as well',
    },
  },
  TABLE_DROPPED: {
    recorded: 'a table was dropped',
    fields: ['reason', 'table_id', 'kind', 'purge_after', 'revoked_policies', 'retention'],
    notes: { retention: 'the rule, if the retention of the table expired' },
  },
  TABLE_HELD: {
    recorded: 'a legal hold was placed on a table',
    fields: ['table_id', 'reason', 'until'],
  },
  TABLE_MAINTAINED: {
    recorded:
      'a table was compacted, its snapshots expired, or unused files were removed; no principal for automatic maintenance',
    fields: [
      'table_id',
      'maintenance_id',
      'compacted_files',
      'new_files',
      'expired_snapshots',
      'removed_files',
      'snapshot_id',
    ],
  },
  TABLE_PURGED: {
    recorded: "the sweep deleted a table's files; no principal",
    fields: ['table_id', 'name', 'files', 'bytes'],
  },
  TABLE_RELEASED: {
    recorded: 'the legal hold on a table was released',
    fields: ['table_id'],
  },
  TABLE_RETENTION_CLEARED: {
    recorded: "a table's retention was set to never",
    fields: RETENTION,
  },
  TABLE_RETENTION_SET: {
    recorded: "a table's retention was set",
    fields: RETENTION,
  },
  TABLE_ROLLED_BACK: {
    recorded: 'a table was rolled back to an older snapshot',
    fields: ['table_id', 'snapshot_id', 'previous_snapshot_id'],
  },
  TABLE_UNDROPPED: {
    recorded: 'a table was restored',
    fields: ['table_id', 'name', 'dropped_name', 'dropped_at', 'restored_policies', 'retention_cleared', 'reason'],
  },
  TABLE_UPDATED: {
    recorded: 'the description, owner or name of a table changed, or an engine changed its metadata',
    fields: ['table_id', 'changed', 'previous_name'],
    notes: { previous_name: 'after a rename' },
  },
  TABLE_WRITE: {
    recorded: 'rows were written to a table, or the file of an artifact was written',
    fields: ['table_id', 'mode', 'rows', 'rejected', 'snapshot_id', 'inserted', 'updated', 'deleted'],
    notes: {
      rejected: 'lines that a load left out',
      inserted: 'of a statement',
      updated: 'of a statement',
      deleted: 'of a statement',
    },
    content: ['watermark'],
  },
  VIEW_CREATED: {
    recorded: 'a view was created',
    fields: ['table_id', 'name', 'columns'],
  },
  VIEW_UPDATED: {
    recorded: 'a view was rebuilt, replaced or renamed',
    fields: ['table_id', 'name', 'columns', 'changed', 'previous_name'],
    notes: { changed: 'after a rename', previous_name: 'after a rename' },
  },
} satisfies Record<string, EventDefinition>;
