import type { Action, ObjectScope } from '@svc/core/access';
import { AccessDeniedError } from './denial.ts';

/** The error for a table change outside a run of the deployed project. */
export function protectedChangeError(environment: string, action: Action, on: ObjectScope): AccessDeniedError {
  const remedy = 'repeat it with --break-glass --reason TEXT, or change the project and deploy it';
  const rule = `The environment ${environment} is protected: its tables can only be changed by runs of its deployed projects.`;
  return refused(environment, action, on, { detail: `${rule} To change it anyway, ${remedy}.`, remedy });
}

/** The error for deleting a protected environment, which would drop all its tables. */
export function protectedDeletionError(environment: string, on: ObjectScope): AccessDeniedError {
  const remedy = 'repeat it with --break-glass --reason TEXT';
  const rule = `The environment ${environment} is protected, and deleting it drops all its tables.`;
  const detail = `${rule} To delete it anyway, ${remedy}.`;
  return refused(environment, 'MANAGE_ENVIRONMENT', on, { detail, remedy });
}

/** The error for a build in a development namespace. */
export function protectedDevBuildError(environment: string, action: Action, on: ObjectScope): AccessDeniedError {
  const remedy = 'use svc dev in another environment';
  const rule = `The environment ${environment} is protected: only runs of its deployed projects build tables there.`;
  return refused(environment, action, on, { detail: `${rule} To try a change, ${remedy}.`, remedy });
}

const refused = (environment: string, action: Action, object: ObjectScope, texts: { detail: string; remedy: string }) =>
  new AccessDeniedError(
    { action, object, reason: `environment ${environment} is protected` },
    { code: 'environment-protected', ...texts },
  );
