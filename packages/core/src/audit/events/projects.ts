import type { EventDefinition } from './definition.ts';

/** Events of repositories, deployments, jobs and runs. */
export const PROJECT_EVENTS = {
  DEPLOY_FAILED: {
    recorded: 'a deploy was rejected or failed',
    fields: ['deploy_id', 'repository', 'ref', 'commit', 'dry_run', 'error'],
  },
  DEPLOY_SUCCEEDED: {
    recorded: 'a deploy activated a project version',
    fields: ['deploy_id', 'repository', 'ref', 'commit', 'project_version_id', 'warnings'],
  },
  DEV_VERSION_STORED: {
    recorded: 'a project version was stored to be run in a development namespace',
    fields: ['deploy_id', 'repository', 'commit', 'project_version_id', 'dev_namespace'],
  },
  JOB_PAUSED: {
    recorded: "a job's schedule was paused",
    fields: ['job', 'repository', 'next_run_at'],
  },
  JOB_RESUMED: {
    recorded: "a job's schedule was resumed",
    fields: ['job', 'repository', 'next_run_at'],
  },
  JOB_START_DROPPED: {
    recorded: 'a scheduled or queued start was dropped',
    fields: ['job', 'repository', 'trigger', 'reason', 'merged', 'scheduled_for'],
  },
  REPOSITORY_CREATED: {
    recorded: 'a repository was registered',
    fields: ['repository_id', 'name', 'url', 'default_ref', 'folder', 'credential_secret'],
  },
  REPOSITORY_DELETED: {
    recorded: 'a repository was removed',
    fields: ['repository_id', 'name', 'unbound_secrets'],
    notes: { unbound_secrets: '`environment` and `name` of each secret that was bound to it' },
  },
  REPOSITORY_UPDATED: {
    recorded: 'a repository changed',
    fields: ['repository_id', 'name', 'changed', 'previous'],
  },
  ROLLED_BACK: {
    recorded: 'a deployment was rolled back to an earlier version',
    fields: ['repository', 'project_version_id', 'previous'],
  },
  RUN_AS_SET: {
    recorded: "a deployment's run principal was set or removed",
    fields: ['repository', 'principal', 'previous'],
  },
  RUN_CANCEL_REQUESTED: {
    recorded: 'someone cancelled a running run',
    fields: ['run_id'],
  },
  RUN_ENDED: {
    recorded: 'a run finished, failed or was cancelled',
    fields: ['run_id', 'status'],
  },
  RUN_STARTED: {
    recorded: 'a run started',
    fields: ['run_id', 'job', 'repository', 'trigger', 'scheduled_for', 'missed', 'merged'],
  },
  UNDEPLOYED: {
    recorded: 'a project was undeployed',
    fields: ['repository', 'project_version_id'],
  },
} satisfies Record<string, EventDefinition>;
