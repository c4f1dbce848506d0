// The error catalogue, with the cause and remedy of each code.
import { ERRORS } from '../../packages/core/src/errors/index.ts';
import { page, table, textsFor } from './markdown/table.mjs';

/** Code → cause, remedy. */
const TEXTS = {
  'malformed-request': [
    'The path is not percent-encoded UTF-8, or the upload was cut off.',
    'Correct the path, or send the upload again. Nothing was changed.',
  ],
  'malformed-json': ['The body is not valid UTF-8 JSON.', 'Correct the body.'],
  'not-signed-in': [
    'The request has no credential, the credential is mistyped, expired or revoked, or its principal is deactivated.',
    'Send `Authorization: Bearer <token>`, or run `svc login`.',
  ],
  'sign-in-failed': [
    'The name or password is wrong, or the account is deactivated. The response is the same in all three cases.',
    'Try again, or ask an administrator for a new password.',
  ],
  forbidden: [
    'The caller lacks an action on the object. The denial is recorded in the audit log.',
    'An administrator can run the `svc grant create` command in `remedy`.',
  ],
  'not-found': [
    'The object does not exist, or the caller is not allowed to know that it does.',
    'Check the name. The message lists similar objects that the caller can see.',
  ],
  'no-such-route': ['No route matches the method and path.', 'See `/docs/api` for the routes.'],
  'environment-deleted': [
    'The environment is deleted. While it can be restored, the message explains how.',
    '`svc env restore NAME`',
  ],
  'nothing-dropped': [
    'No table with that name was dropped there, or its files are already deleted.',
    '`svc table list NAMESPACE --dropped` lists the tables that you can restore.',
  ],
  'result-expired': ['Query results are retained for 24 hours.', 'Run the query again.'],
  'method-not-allowed': ['The path exists, but not with this method.', 'Use one of the methods in the `Allow` header.'],
  'already-exists': ['The name is taken.', 'Choose another name.'],
  'name-held-by-deleted': [
    'A deleted environment that can still be restored has this name.',
    'Restore it, or choose another name.',
  ],
  'duplicate-grant': ['The same grant is already active. The message has its id.', 'Nothing to do.'],
  'last-admin': [
    'The change would leave the instance without an active administrator.',
    'Grant another principal `ADMIN` on the instance first.',
  ],
  'environment-protected': [
    'The request changes a table of a protected environment outside a run of its deployed project, or deletes a protected environment.',
    'Change the project and run it, or send `Svc-Break-Glass: <reason>` (`--break-glass --reason TEXT`).',
  ],
  'namespace-not-empty': ['The namespace contains tables or other namespaces.', 'Drop its contents first.'],
  'project-busy': ['Another run of the project is active.', 'Wait until it finishes, or cancel it.'],
  'ambiguous-job': [
    'Several repositories declare a job with that name.',
    'Choose one with `?repository=` or `--repo`.',
  ],
  'no-run-principal': [
    'The environment is protected and the deployment has no run principal.',
    '`svc deployments set-run-as REPOSITORY --env ENV --principal ACCOUNT`',
  ],
  'not-deployed': [
    'The repository is not deployed in the environment, or there is no earlier version to roll back to.',
    'Deploy it first.',
  ],
  'already-ended': ['The work has already finished, so it cannot be cancelled.', 'Check its record for the outcome.'],
  'not-ended': ['The query has not finished, so it has no result yet.', 'Wait for it with `?wait=60` on its record.'],
  'nothing-to-retry': ['Every task of the run succeeded.', 'Start the job again to rebuild everything.'],
  'no-schedule': ['The job has no schedule in this environment.', 'Add one to `svc.yaml` and deploy.'],
  'write-conflict': ['Another writer changed the object first.', 'Read the object again and repeat the change.'],
  'idempotency-key-in-use': [
    'The first request with this key is still in progress.',
    'Repeat the request after `Retry-After` seconds.',
  ],
  'in-use': ['Something depends on the object. The message names it.', 'Remove the dependency first.'],
  'name-taken': [
    'A newer table, view or artifact has the name of the one to restore.',
    'Restore under another name (`--as NEW_NAME`), or drop the newer one.',
  ],
  'undo-period-over': ['The undo period of the drop or deletion is over.', 'Load the data again from its source.'],
  'dropped-with-purge': [
    'The object was dropped or deleted with purge, which cannot be undone.',
    'Load the data again from its source.',
  ],
  'purge-started': ['The sweep has already started to delete the files.', 'Load the data again from its source.'],
  'files-gone': [
    'Something other than svc deleted the files from storage.',
    'Restore the files from a backup of the storage, then restore the table again.',
  ],
  'namespace-dropped': [
    'The namespace was dropped after the table.',
    'Create the namespace again, then restore the table.',
  ],
  'not-deleted': [
    'The environment is not deleted, so there is nothing to restore or purge.',
    'Nothing to do. To purge the environment, delete it first.',
  ],
  'table-held': [
    'A legal hold protects the files of the table, or of a table in the environment.',
    'Drop it without purge, or release the hold: `svc table release NAMESPACE.TABLE`.',
  ],
  'not-held': ['The table has no legal hold.', 'Nothing to do.'],
  'quota-exceeded': [
    "The environment's storage quota is used up. Loads, `--into` queries, builds and commits that add files are rejected; drops, purges, maintenance and reads still work.",
    '`svc env quotas NAME` shows the limit and the usage. Purge dropped tables, expire snapshots, or ask an administrator for a higher quota.',
  ],
  'head-too-large': [
    'The path and headers together are larger than 16 KiB.',
    'Shorten them, for example by removing a filter.',
  ],
  'body-too-slow': ['The body arrived too slowly, or stopped halfway.', 'Send it again.'],
  'body-too-large': ['The body is larger than the route accepts.', 'Split it into smaller requests.'],
  'unsupported-media-type': [
    'The route does not accept this content type, or the body is compressed. The message lists the accepted types.',
    'Set `Content-Type`, and send the body uncompressed.',
  ],
  'invalid-request': [
    'A parameter or body field is unknown, missing or invalid. `errors[]` has one entry for each.',
    'Correct the fields in `errors[]`.',
  ],
  'invalid-cursor': [
    'The cursor was not issued by this service, or it belongs to another list, other filters or another limit.',
    'Start from the first page.',
  ],
  'idempotency-not-supported': [
    'The response contains a secret that is shown only once, so it cannot be stored for repeats.',
    'Remove the `Idempotency-Key` header.',
  ],
  'idempotency-key-reused': [
    'The key was already used with a different request.',
    'Use a new key for each new request.',
  ],
  'not-a-managed-table': ['The operation works only on managed tables.', 'Choose a managed table.'],
  'too-many-requests': [
    'Too many failed sign-ins, or too many requests with one token.',
    'Try again after `Retry-After` seconds.',
  ],
  internal: ['The service failed unexpectedly.', 'The operator finds the cause in the log under the `request_id`.'],
  'activity-not-recorded': [
    "Viewing other people's activity is audited. The audit log could not be written, so nothing is shown.",
    'Try again after `Retry-After` seconds.',
  ],
  'shutting-down': ['The server is shutting down.', 'Try again after `Retry-After` seconds.'],
  'database-unavailable': [
    'The database does not respond. Nothing was changed.',
    'Try again after `Retry-After` seconds.',
  ],
  'storage-unavailable': [
    'The storage of the service or of the environment does not respond, or rejects its keys. The message has the reason. Nothing is lost.',
    "Try again when the storage is back. For an environment's own storage, set its secret again (`svc secret rotate`) or repair the bucket.",
  ],
  'storage-full': [
    'The disk of the service or of its database is full. Nothing was changed.',
    'Ask the operator to free some space, then send the request again.',
  ],
};

const EXAMPLE = `\`\`\`json
{
  "type": "urn:svc:problem:not-found",
  "title": "Not found",
  "status": 404,
  "detail": "There is no environment nowhere. Check the name.",
  "instance": "/api/v1/environments/nowhere",
  "code": "not-found",
  "request_id": "01a1ffbd-0c39-7d2c-9f0e-8a7c1bd2a6b1"
}
\`\`\``;

function rows() {
  const codes = Object.keys(ERRORS);
  const texts = textsFor(codes, TEXTS, 'scripts/generate/errors.mjs');
  return codes.map((code) => [ERRORS[code].status, `\`${code}\``, ERRORS[code].title, ...texts[code]]);
}

export default [
  {
    file: 'docs/reference/errors.md',
    generate: () =>
      page(
        'Errors',
        'Every error is an `application/problem+json` document (RFC 9457). `code` is stable. `detail` explains the cause and the remedy. `remedy` is a command that fixes the problem, if there is one. `errors[]` has one entry for each invalid parameter (`parameter`) or body field (`pointer`).',
        EXAMPLE,
        table(['Status', 'Code', 'Title', 'Cause', 'Remedy'], rows()),
        'Writes, queries, deploys, runs and tasks store their own failure in the `error` field of their record: `{code, detail, remedy}`.',
      ),
  },
];
