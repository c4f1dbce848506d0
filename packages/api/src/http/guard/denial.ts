import { type Action, eventObject, grantCommand, type ObjectScope, scopeText } from '@svc/core/access';
import { ApiError, type ErrorCode } from '@svc/core/errors';

/** The details of a denial in AUTHORIZATION_DENIED. */
export interface DeniedAction {
  action: Action | null;
  object: ObjectScope;
  reason: string;
  /** The environment of the object, if the path doesn't name it. */
  environmentId?: string;
}

/** The detail of AUTHORIZATION_DENIED. */
export const denialDetail = (
  { method, path }: { method: string; path: string },
  { action, object, reason }: DeniedAction,
): Record<string, unknown> => ({ action, object: eventObject(object), route: `${method} ${path}`, reason });

/** An error for a missing permission (403) or a protected environment (409), which is always recorded. */
export class AccessDeniedError extends ApiError {
  readonly denial: DeniedAction;

  constructor(denial: DeniedAction, options: { code?: ErrorCode; detail: string; remedy?: string }) {
    super(options.code ?? 'forbidden', options.detail, options.remedy === undefined ? {} : { remedy: options.remedy });
    this.denial = denial;
  }
}

export interface DeniedCaller {
  principal: string;
  /** What to do if no grant would help, as for actions that a task token never carries; otherwise null. */
  instead: string | null;
  environmentId?: string | undefined;
}

/** 403: names the missing action, the object as the request spells it, and the command that would grant it. */
export function accessDenied(
  { principal, instead, environmentId }: DeniedCaller,
  action: Action,
  object: ObjectScope,
  reason: string,
): AccessDeniedError {
  const isNamed = object.kind === 'INSTANCE' || object.kind === 'SERVICE_ACCOUNT';
  const on = isNamed ? scopeText(object) : `${object.kind.toLowerCase()} ${scopeText(object)}`;
  const refused = `${principal} may not ${action} on ${on}: ${reason}.`;
  const denial = { action, object, reason, ...(environmentId === undefined ? {} : { environmentId }) };
  if (instead !== null) return new AccessDeniedError(denial, { detail: `${refused} ${instead}` });
  const remedy = grantCommand(principal, action, object);
  return new AccessDeniedError(denial, { detail: `${refused} An administrator can grant it: ${remedy}`, remedy });
}
