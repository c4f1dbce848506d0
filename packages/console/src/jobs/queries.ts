import type { Job } from '@svc/sdk/browser';
import { queryOptions } from '@tanstack/react-query';
import { isActive } from '../runs/queries.ts';
import { svc } from '../service/client.ts';
import { pollingInterval } from '../service/polling.ts';
import { cache } from '../service/queries.ts';

/** Runs that the page of a job shows; the list of runs has all of them. */
const RECENT_RUNS = 10;

/** The times of a schedule change with the clock only. */
const SCHEDULE_MS = 60_000;

/** Whether the job runs, or is about to. */
export const isBusy = ({ last_run_status: status, waiting_for }: Job): boolean =>
  waiting_for !== null || (status !== null && isActive({ status }));

export const jobsQuery = (env: string) =>
  queryOptions({
    queryKey: ['jobs', env, 'list'],
    queryFn: ({ signal }) => svc.jobs.list(env, { signal }),
    refetchInterval: ({ state }) => pollingInterval(false, state),
    staleTime: 0,
  });

export const jobQuery = (env: string, repository: string, job: string) =>
  queryOptions({
    queryKey: ['jobs', env, 'job', repository, job],
    queryFn: ({ signal }) => svc.jobs.get(env, job, { repository, signal }),
    refetchInterval: ({ state }) => pollingInterval(state.data !== undefined && isBusy(state.data), state),
    staleTime: 0,
  });

export const scheduleQuery = (env: string, repository: string, job: string) =>
  queryOptions({
    queryKey: ['jobs', env, 'schedule', repository, job],
    queryFn: ({ signal }) => svc.jobs.schedule(env, job, { repository, signal }),
    refetchInterval: SCHEDULE_MS,
  });

export const recentRunsQuery = (env: string, repository: string, job: string) =>
  queryOptions({
    queryKey: ['jobs', env, 'runs', repository, job],
    queryFn: ({ signal }) => svc.runs.list(env, { repository, job, limit: RECENT_RUNS, signal }),
    refetchInterval: ({ state }) => pollingInterval(state.data?.some(isActive) ?? false, state),
    staleTime: 0,
  });

/** Loads everything about jobs again that is shown, after a change. */
export const refreshJobs = (env: string): Promise<void> => cache.invalidateQueries({ queryKey: ['jobs', env] });
