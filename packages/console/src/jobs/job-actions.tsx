import type { Job } from '@svc/sdk/browser';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Name } from '../design/name.tsx';
import { runQuery } from '../runs/queries.ts';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { svcCommand } from '../text/commands.ts';
import { jobQuery, refreshJobs } from './queries.ts';
import { useRunPrincipal } from './run-principal.ts';

interface JobDialogProps {
  env: string;
  job: Job;
  onClose: () => void;
}

function StartDialog({ env, job, onClose }: JobDialogProps) {
  const { name, repository } = job;
  const navigate = useNavigate();
  const principal = useRunPrincipal(env, repository);
  const start = async () => {
    const { run } = await svc.jobs.start(env, name, { repository });
    if (run === null) return `The start of ${name} waits for the active run of its project.`;
    cache.setQueryData(runQuery(env, run.id).queryKey, run);
    onClose();
    await navigate({ to: '/$env/runs/$run', params: { env, run: run.id }, search: {} });
    return `Started ${name}.`;
  };
  return (
    <ActionDialog
      verb="Start"
      pending="Starting"
      object={name}
      command={svcCommand('job run', name, { env, repo: repository })}
      action={start}
      onDone={() => refreshJobs(env)}
      onClose={onClose}
    >
      <p className="soft">
        The run builds what the job selects.{' '}
        {principal == null ? (
          'No service account is bound, so it acts as you; a protected environment needs one.'
        ) : (
          <>
            It acts as the service account <Name>{principal}</Name>.
          </>
        )}{' '}
        If the project has an active run, the start waits for it.
      </p>
    </ActionDialog>
  );
}

const SCHEDULE_CHANGES = {
  pause: {
    ...{ verb: 'Pause', pending: 'Pausing', done: 'Paused' },
    text: 'Only the schedule stops. Manual starts still work, and a start that already waits still happens. The pause survives deploys.',
  },
  resume: {
    ...{ verb: 'Resume', pending: 'Resuming', done: 'Resumed' },
    text: "The schedule counts from now on. Times that have passed since the pause don't fire.",
  },
} as const;

type ScheduleChange = keyof typeof SCHEDULE_CHANGES;

function ScheduleDialog({ env, job, what, onClose }: JobDialogProps & { what: ScheduleChange }) {
  const { name, repository } = job;
  const { verb, pending, done, text } = SCHEDULE_CHANGES[what];
  const change = async () => {
    const changed = await svc.jobs[what](env, name, { repository });
    cache.setQueryData(jobQuery(env, repository, name).queryKey, changed);
    return `${done} the schedule of ${name}.`;
  };
  return (
    <ActionDialog
      verb={verb}
      pending={pending}
      object={name}
      command={svcCommand(`job ${what}`, name, { env, repo: repository })}
      action={change}
      onDone={() => refreshJobs(env)}
      onClose={onClose}
    >
      <p className="soft">{text}</p>
    </ActionDialog>
  );
}

/** Starts the job, and pauses or resumes its schedule. */
export function JobActions({ env, job }: { env: string; job: Job }) {
  // An open dialog does what it says, even if someone else pauses or resumes the job.
  const [dialog, setDialog] = useState<'start' | ScheduleChange | null>(null);
  const onClose = () => setDialog(null);
  const change = job.paused ? 'resume' : 'pause';
  return (
    <>
      {job.cron === null ? null : (
        <button type="button" className="button" onClick={() => setDialog(change)}>
          {SCHEDULE_CHANGES[change].verb}
        </button>
      )}
      <button type="button" className="button primary" onClick={() => setDialog('start')}>
        Start
      </button>
      {dialog === null ? null : dialog === 'start' ? (
        <StartDialog env={env} job={job} onClose={onClose} />
      ) : (
        <ScheduleDialog env={env} job={job} what={dialog} onClose={onClose} />
      )}
    </>
  );
}
