// The error catalogue, with what brings each code about and what mends it.
import { ERRORS } from '../../packages/core/src/errors/index.ts';
import { page, table, textsFor } from './markdown/table.mjs';

/** Code → cause, remedy. */
const TEXTS = {
  'malformed-request': [
    'The path is not percent-encoded UTF-8, or an upload broke off.',
    'Correct the path; send the upload again. Nothing was changed.',
  ],
  'malformed-json': ['The body is not JSON in UTF-8.', 'Correct the body.'],
  'not-signed-in': [
    'No credential, or one that is mistyped, expired or revoked, or whose principal is deactivated.',
    'Send `Authorization: Bearer <token>`, or run `svc login`.',
  ],
  'sign-in-failed': [
    'Name or password is wrong, or the account is deactivated; the answer is the same for all three.',
    'Try again, or ask an administrator for a new password.',
  ],
  forbidden: [
    'The caller lacks an action on the object. Recorded in the audit log.',
    '`remedy` holds the `svc grant create` command that an administrator would run.',
  ],
  'not-found': [
    'There is no such object, or none that the caller may know of.',
    'Check the name. The sentence says what exists instead, where the caller may know it.',
  ],
  'no-such-route': ['No route has that method and path.', 'Look into `/docs/api`.'],
  'environment-deleted': [
    'The environment is deleted; the sentence tells how it is restored, as long as it can be.',
    '`svc env restore NAME`',
  ],
  'nothing-dropped': [
    'No table of that name was dropped there, or its files are deleted already.',
    '`svc table list NAMESPACE --dropped` shows what can be restored.',
  ],
  'result-expired': ['Results of queries are kept for 24 hours.', 'Run the query again.'],
  'method-not-allowed': ['The path exists with other methods, named in `Allow`.', 'Use one of them.'],
  'already-exists': ['The name is taken.', 'Choose another name.'],
  'name-held-by-deleted': ['A deleted environment still holds the name.', 'Restore it, or choose another name.'],
  'duplicate-grant': ['The same grant is active already; the sentence names its id.', 'Nothing to do.'],
  'last-admin': [
    'The change would leave no active administrator.',
    'Give another principal `ADMIN` on the instance first.',
  ],
  'environment-protected': [
    'A change of tables outside a run of the deployed project, or the deletion of a protected environment.',
    'Change the project and run it, or send `Svc-Break-Glass: <reason>` (`--break-glass --reason TEXT`).',
  ],
  'namespace-not-empty': ['The namespace holds tables or other namespaces.', 'Drop what it holds first.'],
  'project-busy': ['Another run of the project is active.', 'Wait for its end, or cancel it.'],
  'ambiguous-job': ['Several repositories declare a job of that name.', 'Name one: `?repository=` or `--repo`.'],
  'no-run-principal': [
    'The environment is protected and no run principal is bound.',
    '`svc deployments set-run-as REPOSITORY --env ENV --principal ACCOUNT`',
  ],
  'not-deployed': [
    'The repository is not deployed in the environment, or has no earlier version to go back to.',
    'Deploy it first.',
  ],
  'already-ended': ['The work has ended, so it cannot be cancelled.', 'Look at its record.'],
  'not-ended': ['The query has no result yet.', 'Wait for it: `?wait=60` on its record.'],
  'nothing-to-retry': ['Every task of the run succeeded.', 'Start the job again to build everything.'],
  'no-schedule': ['The job has no schedule in this environment.', 'Add one to `svc.yaml` and deploy.'],
  'write-conflict': ['Another writer changed the object meanwhile.', 'Read it again and repeat the change.'],
  'idempotency-key-in-use': [
    'The first request with this key is still under way.',
    'Repeat it after `Retry-After` seconds.',
  ],
  'in-use': ['Something depends on the object; the sentence names it.', 'End what depends on it first.'],
  'name-taken': [
    'A table, view or artifact made meanwhile has the name of the one to restore.',
    'Restore under another name (`--as NEW_NAME`), or drop the new one.',
  ],
  'undo-period-over': ['The undo period of the drop or deletion has ended.', 'Load the data again from its source.'],
  'dropped-with-purge': [
    'It was dropped or deleted with purge, which cannot be undone.',
    'Load the data again from its source.',
  ],
  'purge-started': ['The sweep has begun to delete the files.', 'Load the data again from its source.'],
  'files-gone': [
    'Something other than the service deleted the files from storage.',
    'Bring them back from a backup of the storage, then restore again.',
  ],
  'namespace-dropped': ['The namespace was dropped after the table.', 'Create it again, then restore the table.'],
  'not-deleted': [
    'The environment is in use: there is nothing to restore, or it was restored before its purge.',
    'Nothing to do; delete it again where it should be purged.',
  ],
  'table-held': [
    'A hold keeps the files of the table, or of a table of the environment, from being deleted.',
    'Drop it without purge, or have the hold released: `svc table release NAMESPACE.TABLE`.',
  ],
  'not-held': ['The table is not held.', 'Nothing to do.'],
  'quota-exceeded': [
    "The environment's quota of storage is used up: loads, `--into` queries, builds and commits that add files are refused; drops, purges, maintenance and reads go on.",
    '`svc env quotas NAME` shows limit and use. Purge what was dropped, have snapshots expired, or ask an administrator for more.',
  ],
  'head-too-large': [
    'Path and headers are larger than 16 KiB together.',
    'Send less in them; a filter may be left out.',
  ],
  'body-too-slow': ['The body came too slowly, or stopped half way.', 'Send it again.'],
  'body-too-large': ['The body is larger than the route takes.', 'Send less at once.'],
  'unsupported-media-type': [
    'The route takes other content types, which the sentence names, and no compressed body.',
    'Set `Content-Type`.',
  ],
  'invalid-request': [
    'A parameter or body field is unknown, missing or has a wrong value. `errors[]` names each.',
    'Correct the named fields.',
  ],
  'invalid-cursor': [
    'The cursor was not issued by this service, or belongs to another list, other filters or another limit.',
    'Begin with the first page.',
  ],
  'idempotency-not-supported': [
    'The route shows a secret once, so its answer is not kept for repeats.',
    'Leave `Idempotency-Key` out.',
  ],
  'idempotency-key-reused': ['The key was used with another body.', 'Use a new key for a new request.'],
  'not-a-managed-table': ['The operation needs a managed table.', 'Load into, or ask about, a managed table.'],
  'too-many-requests': [
    'Too many failed sign-ins, or requests of one token.',
    'Try again after `Retry-After` seconds.',
  ],
  internal: ['The service failed.', 'The operator finds the cause in the log under `request_id`.'],
  'activity-not-recorded': [
    "A look at other people's activity could not be written to the audit log, so nothing is shown.",
    'Try again after `Retry-After` seconds.',
  ],
  'shutting-down': ['The server is stopping.', 'Try again after `Retry-After` seconds.'],
  'database-unavailable': [
    'The database does not answer. Nothing was changed.',
    'Try again after `Retry-After` seconds.',
  ],
  'storage-unavailable': [
    'The storage of the service, or of the environment, does not answer or refuses its keys; the message has its reason. Nothing is lost.',
    "Try again when it is back. Of an environment's own storage: set its secret again (`svc secret rotate`), or repair the bucket.",
  ],
  'storage-full': [
    'The disk of the service or of its database has no room left. Nothing was changed.',
    'Ask the operator to make room, then send it again.',
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
        'An error is `application/problem+json` (RFC 9457). `code` is stable; `detail` is a sentence with cause and remedy; `remedy` is a command that mends it, where there is one; `errors[]` names each wrong parameter (`parameter`) or body field (`pointer`).',
        EXAMPLE,
        table(['Status', 'Code', 'Title', 'Cause', 'Remedy'], rows()),
        'Records of work (writes, queries, deploys, runs, tasks) carry their own failure in `error`: `{code, detail, remedy}`.',
      ),
  },
];
