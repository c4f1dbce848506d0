import type { Job, JobSchedule } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../design/badge.tsx';
import { Command } from '../design/copy.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time, ZonedTime } from '../design/time.tsx';
import { svcCommand } from '../text/commands.ts';
import { DAYLIGHT_NOTES } from './daylight-notes.ts';
import { scheduleQuery } from './queries.ts';

const viewersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function Note({ note }: { note: JobSchedule['times'][number]['note'] }) {
  if (note === null) return null;
  // A page that is older than the service may not know it.
  const { label, text } = DAYLIGHT_NOTES[note] ?? { label: note, text: '' };
  return (
    <p className="row soft">
      <Badge tone="warn">{label}</Badge>
      {text}
    </p>
  );
}

function Times({ schedule }: { schedule: JobSchedule }) {
  const { timezone, times } = schedule;
  const hasOtherZone = timezone !== viewersZone;
  return (
    <DataTable
      columns={[
        [
          <span key="zone">
            Time in <Name>{timezone}</Name>
          </span>,
          '',
        ] as const,
        ...(hasOtherZone ? [['Your time', 'wide-only'] as const] : []),
        ['From now', 'end'] as const,
      ]}
    >
      {times.map(({ at, local, note }) => (
        <tr key={at}>
          <td>
            <ZonedTime at={at} local={local} />
            <Note note={note} />
          </td>
          {hasOtherZone ? (
            <td className="soft wide-only">
              <Time at={at} absolute />
            </td>
          ) : null}
          <td className="end soft">
            <Time at={at} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function NextTimes({ env, job }: { env: string; job: Job }) {
  const { data, error, refetch } = useQuery(scheduleQuery(env, job.repository, job.name));
  if (data === undefined) return error === null ? <Loading rows={10} /> : <ErrorState error={error} retry={refetch} />;
  return (
    <>
      {job.paused ? (
        <p className="toolbar soft">The schedule is paused. These times fire only after you resume it.</p>
      ) : null}
      <Times schedule={data} />
    </>
  );
}

/** The next times of the job's schedule in its own zone. */
export function Schedule({ env, job }: { env: string; job: Job }) {
  const { name, repository, cron } = job;
  return (
    <section className="card" aria-label="Next times">
      {cron === null ? (
        <Empty icon="clock" title="No schedule" command={svcCommand('job run', name, { env, repo: repository })}>
          The job starts on demand. For a schedule, add a cron expression and a time zone to the job in svc.yaml, then
          deploy the project.
        </Empty>
      ) : (
        <>
          <div className="row toolbar spread">
            <h2>Next times</h2>
            <Command>{svcCommand('job schedule', name, { env, repo: repository })}</Command>
          </div>
          <NextTimes env={env} job={job} />
        </>
      )}
    </section>
  );
}
