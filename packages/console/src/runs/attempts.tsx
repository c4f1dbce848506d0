import type { RunTask } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { Elapsed } from './run-status.tsx';

type Attempt = NonNullable<RunTask['attempts']>[number];

const TEXTS = {
  lost: 'worker lost',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};
const TONES = { lost: 'warn', running: 'info', succeeded: 'good', failed: 'bad', cancelled: 'plain' } as const;

/** Whether the status of the task doesn't tell everything about its attempts. */
export const hasAttempts = ({ attempts = [] }: RunTask): boolean =>
  attempts.length > 1 || attempts.some(({ status }) => status === 'lost');

function AttemptItem({ env, run, asset, attempt }: { env: string; run: string; asset: string; attempt: Attempt }) {
  const { number, status, started_at, error } = attempt;
  return (
    <li className="row">
      <Link
        to="/$env/runs/$run"
        params={{ env, run }}
        search={{ tab: 'logs', task: asset, attempt: String(number) }}
        className="link"
        title="Show the log of this attempt"
      >
        Attempt {number}
      </Link>
      <Badge tone={TONES[status]}>{TEXTS[status]}</Badge>
      <span className="soft">
        {started_at === null ? null : <Time at={started_at} />} <Elapsed {...attempt} />
      </span>
      {error === null ? null : (
        <span className="soft">
          <Name>{error.detail}</Name>
        </span>
      )}
    </li>
  );
}

/** The attempts of a task, each with why it ended and its part of the log. */
export function Attempts({ env, run, task }: { env: string; run: string; task: RunTask }) {
  const { asset, attempts = [] } = task;
  return (
    <ol className="stack tight" aria-label={`Attempts of ${asset}`}>
      {attempts.map((attempt) => (
        <AttemptItem key={attempt.number} env={env} run={run} asset={asset} attempt={attempt} />
      ))}
    </ol>
  );
}
