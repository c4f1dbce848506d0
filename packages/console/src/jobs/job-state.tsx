import type { Job } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { Badge, type Tone } from '../design/badge.tsx';
import { count } from '../text/numbers.ts';

type State = Job['state'];

const TONES: Record<State, Tone> = {
  waiting: 'info',
  'waiting to start': 'info',
  'no schedule': 'plain',
  paused: 'warn',
  'no run principal': 'bad',
  'run principal unusable': 'bad',
  scheduled: 'good',
};

export const STATES = Object.keys(TONES) as State[];

export function JobStateBadge({ state }: { state: State }) {
  return (
    <Badge tone={TONES[state]} dot={state.startsWith('waiting') ? 'live' : 'still'}>
      {state}
    </Badge>
  );
}

/** The start that waits: by whom, and how many requests it stands for. */
function Waiting({ waiting }: { waiting: NonNullable<Job['waiting_for']> }) {
  const { trigger, merged } = waiting;
  return (
    <>
      {trigger === 'schedule' ? 'A scheduled start' : 'A start'}
      {merged > 1 ? `, which combines ${count(merged)} starts,` : ''}
    </>
  );
}

/** Why the job waits or can't start; nothing for other jobs. */
export function JobReason({ env, job }: { env: string; job: Job }) {
  const { state, waiting_for: waiting, waits_for_run_id: run } = job;
  if (waiting !== null && run !== null)
    return (
      <>
        <Waiting waiting={waiting} /> waits for the{' '}
        <Link to="/$env/runs/$run" params={{ env, run }} search={{}} className="above link">
          active run of the project
        </Link>
      </>
    );
  if (waiting !== null)
    return (
      <>
        <Waiting waiting={waiting} /> waits: the project is free, so it happens within seconds
      </>
    );
  if (state === 'no run principal') return <>The schedule doesn't fire: no service account is bound</>;
  if (state === 'run principal unusable')
    return <>The schedule doesn't fire: the bound principal is inactive or isn't a service account</>;
  return null;
}

/** Whether there is something to explain about the state. */
export const hasReason = ({ state }: Pick<Job, 'state'>): boolean => TONES[state] === 'info' || TONES[state] === 'bad';
