// The catalogues of errors and failures, with the cause and remedy of each code.
import { ERRORS, FAILURES } from '../../packages/core/src/errors/index.ts';
import { page, table } from './markdown/table.mjs';

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

const rows = Object.entries(ERRORS).map(([code, { status, title, cause, remedy }]) => [
  status,
  `\`${code}\``,
  title,
  cause,
  remedy,
]);

const failures = Object.entries(FAILURES)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { of, cause, remedy }]) => [`\`${code}\``, of, cause, remedy]);

const FAILURE = `\`\`\`json
{
  "code": "out-of-memory",
  "detail": "The query exceeded its memory limit. Query less data at a time.",
  "remedy": null
}
\`\`\``;

export default [
  {
    file: 'docs/reference/errors.md',
    generate: () =>
      page(
        'Errors',
        'Every error is an `application/problem+json` document (RFC 9457). `code` is stable. `detail` explains the cause and the remedy. `remedy` is a command that fixes the problem, if there is one. `errors[]` has one entry for each invalid parameter (`parameter`) or body field (`pointer`).',
        EXAMPLE,
        table(['Status', 'Code', 'Title', 'Cause', 'Remedy'], rows),
        '## Failures of work',
        'Queries, writes, deploys, runs, tasks and maintenance store their failure in the `error` field of their record. `code` is stable. `detail` explains what happened. `remedy` is a command or a sentence, or null.',
        FAILURE,
        'Work that meets one of the errors above stores the code of that error.',
        table(['Code', 'In', 'Cause', 'Remedy'], failures),
      ),
  },
];
