import type { RunTask } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { identifier } from '../text/identifiers.ts';

/** The rows that failed a check stay on this branch of the table until its next good build. */
const BRANCH = 'failed_check';

/** Leads to a query of the rejected rows, which runs with the permissions of the viewer. Nothing for other tasks. */
export function RejectedRows({ env, task: { asset, error } }: { env: string; task: RunTask }) {
  if (error?.code !== 'check-failed') return null;
  const name = asset.split('.').map(identifier).join('.');
  const sql = `SELECT * FROM ${name} AT (VERSION => '${BRANCH}') LIMIT 100`;
  return (
    <Link to="/$env/sql" params={{ env }} search={{ sql }} className="link">
      Query the rejected rows
    </Link>
  );
}
