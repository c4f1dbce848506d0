import type { ErrorDefinition } from './definition.ts';

/** Requests that conflict with the current state. */
export const CONFLICT_ERRORS = {
  'already-exists': {
    status: 409,
    title: 'Already exists',
    cause: 'The name is taken.',
    remedy: 'Choose another name.',
  },
  'name-held-by-deleted': {
    status: 409,
    title: 'Name reserved by a deleted environment',
    cause: 'A deleted environment that can still be restored has this name.',
    remedy: 'Restore it, or choose another name.',
  },
  'duplicate-grant': {
    status: 409,
    title: 'Already granted',
    cause: 'The same grant is already active. The message has its id.',
    remedy: 'Nothing to do.',
  },
  'token-rotated': {
    status: 409,
    title: 'Token already rotated',
    cause: 'Another token has replaced this one already.',
    remedy: 'Rotate the token that replaced it, or issue a new one with `svc token issue`.',
  },
  'last-admin': {
    status: 409,
    title: 'Last administrator',
    cause: 'The change would leave the instance without an active administrator.',
    remedy: 'Grant another principal `ADMIN` on the instance first.',
  },
  'environment-protected': {
    status: 409,
    title: 'Environment is protected',
    cause:
      'The request changes a table of a protected environment outside a run of its deployed project, or deletes a protected environment.',
    remedy: 'Change the project and run it, or send `Svc-Break-Glass: <reason>` (`--break-glass --reason TEXT`).',
  },
  'namespace-not-empty': {
    status: 409,
    title: 'Namespace is not empty',
    cause: 'The namespace contains tables or other namespaces.',
    remedy: 'Drop its contents first.',
  },
  'project-busy': {
    status: 409,
    title: 'Project is busy',
    cause: 'Another run of the project is active.',
    remedy: 'Wait until it finishes, or cancel it.',
  },
  'ambiguous-job': {
    status: 409,
    title: 'Several repositories declare the job',
    cause: 'Several repositories declare a job with that name.',
    remedy: 'Choose one with `?repository=` or `--repo`.',
  },
  'no-run-principal': {
    status: 409,
    title: 'No run principal',
    cause: 'The environment is protected and the deployment has no run principal.',
    remedy: '`svc deployments set-run-as REPOSITORY --env ENV --principal ACCOUNT`',
  },
  'not-deployed': {
    status: 409,
    title: 'Not deployed',
    cause: 'The repository is not deployed in the environment, or there is no earlier version to roll back to.',
    remedy: 'Deploy it first.',
  },
  'already-ended': {
    status: 409,
    title: 'Already finished',
    cause: 'The work has already finished, so it cannot be cancelled.',
    remedy: 'Check its record for the outcome.',
  },
  'not-ended': {
    status: 409,
    title: 'Not finished yet',
    cause: 'The query has not finished, so it has no result yet.',
    remedy: 'Wait for it with `?wait=60` on its record.',
  },
  'nothing-to-retry': {
    status: 409,
    title: 'Nothing to retry',
    cause: "Every task of the run succeeded, or the active version has none of the assets that it didn't build.",
    remedy: 'Start the job again to rebuild everything.',
  },
  'no-schedule': {
    status: 409,
    title: 'No schedule',
    cause: 'The job has no schedule in this environment.',
    remedy: 'Add one to `svc.yaml` and deploy.',
  },
  'write-conflict': {
    status: 409,
    title: 'Changed by another writer',
    cause: 'Another writer changed the object first.',
    remedy: 'Read the object again and repeat the change.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'First request still in progress',
    cause: 'The first request with this key is still in progress.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
  'in-use': {
    status: 409,
    title: 'In use',
    cause: 'Something depends on the object. The message names it.',
    remedy: 'Remove the dependency first.',
  },
  'name-taken': {
    status: 409,
    title: 'Name taken by another table',
    cause: 'A newer table, view or artifact has the name of the one to restore.',
    remedy: 'Restore under another name (`--as NEW_NAME`), or drop the newer one.',
  },
  'undo-period-over': {
    status: 409,
    title: 'Undo period is over',
    cause: 'The undo period of the drop or deletion is over.',
    remedy: 'Load the data again from its source.',
  },
  'dropped-with-purge': {
    status: 409,
    title: 'Dropped with purge',
    cause: 'The object was dropped or deleted with purge, which cannot be undone.',
    remedy: 'Load the data again from its source.',
  },
  'purge-started': {
    status: 409,
    title: 'Deletion of files has started',
    cause: 'The sweep has already started to delete the files.',
    remedy: 'Load the data again from its source.',
  },
  'files-gone': {
    status: 409,
    title: 'Files are missing from storage',
    cause: 'Something other than svc deleted the files from storage.',
    remedy: 'Restore the files from a backup of the storage, then try again.',
  },
  'namespace-dropped': {
    status: 409,
    title: 'Namespace was dropped',
    cause: 'The namespace was dropped after the table.',
    remedy: 'Create the namespace again, then restore the table.',
  },
  'not-deleted': {
    status: 409,
    title: 'Environment is not deleted',
    cause: 'The environment is not deleted, so there is nothing to restore or purge.',
    remedy: 'Nothing to do. To purge the environment, delete it first.',
  },
  'table-held': {
    status: 409,
    title: 'Table is under a legal hold',
    cause: 'A legal hold protects the files of the table, or of a table in the environment.',
    remedy: 'Drop it without purge, or release the hold: `svc table release NAMESPACE.TABLE`.',
  },
  'not-held': {
    status: 409,
    title: 'Table has no legal hold',
    cause: 'The table has no legal hold.',
    remedy: 'Nothing to do.',
  },
  'quota-exceeded': {
    status: 409,
    title: 'Quota exceeded',
    cause:
      "The environment's storage quota is used up. Loads, `--into` queries, builds and commits that add files are rejected; drops, purges, maintenance and reads still work.",
    remedy:
      '`svc env quotas NAME` shows the limit and the usage. Purge dropped tables, expire snapshots, or ask an administrator for a higher quota.',
  },
  'version-conflict': {
    status: 409,
    title: 'Changed by another request',
    cause: 'The object has changed since the caller read it.',
    remedy: 'Read it again, and repeat the change with the version that it has now.',
  },
  'already-decided': {
    status: 409,
    title: 'Already decided',
    cause: 'The request for access is no longer pending.',
    remedy: 'Nothing to do. To change what was granted, revoke the grant or create another one.',
  },
  'limit-reached': {
    status: 409,
    title: 'Too many objects',
    cause: 'The caller already has as many of these objects as the service allows.',
    remedy: 'Delete some that you no longer need.',
  },
  'upload-incomplete': {
    status: 409,
    title: 'Upload is incomplete',
    cause: 'Parts of the file have not arrived yet.',
    remedy: 'Upload the missing parts, then load the file.',
  },
} satisfies Record<string, ErrorDefinition>;
