import { type Action, ADMIN_ONLY, INSTANCE, type ObjectScope, scopeText } from '@svc/core/access';
import { Problem, type ProblemCode } from '@svc/core/errors';

/** What AUTHORIZATION_DENIED tells of a refusal. */
export interface Denial {
  action: Action | null;
  object: ObjectScope;
  reason: string;
  /** Of the object's environment, where the path does not name it. */
  environmentId?: string;
}

/** A refusal for want of a right (403), or by protection (409): always recorded. */
export class Denied extends Problem {
  readonly denial: Denial;

  constructor(denial: Denial, options: { code?: ProblemCode; detail: string; remedy?: string }) {
    super(options.code ?? 'forbidden', options.detail, options.remedy === undefined ? {} : { remedy: options.remedy });
    this.denial = denial;
  }
}

/** Quotes a name for a shell only where it needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that an administrator runs to give the right. */
export function grantCommand(principal: string, action: Action, object: ObjectScope): string {
  const right = ADMIN_ONLY.includes(action) ? '--role ADMIN' : `--action ${action}`;
  const on = ADMIN_ONLY.includes(action) || action === 'READ_QUERY_TEXT' ? INSTANCE : object;
  const scope = [
    ['--env', on.environment],
    ['--ns', on.namespace],
    ['--table', on.table],
  ]
    .filter(([, name]) => name !== null)
    .map(([flag, name]) => ` ${flag} ${shellWord(name as string)}`)
    .join('');
  return `svc grant create --kind ${on.kind} --principal ${shellWord(principal)} ${right}${scope}`;
}

/** 403: names the missing action, the object as it was asked for, and the command that would grant it. */
export function denied(
  principal: string,
  action: Action,
  object: ObjectScope,
  reason: string,
  environmentId?: string,
): Denied {
  const remedy = grantCommand(principal, action, object);
  const on = object.kind === 'INSTANCE' ? 'the instance' : `${object.kind.toLowerCase()} ${scopeText(object)}`;
  const detail = `${principal} may not ${action} on ${on}: ${reason}. An administrator can grant it: ${remedy}`;
  return new Denied(
    { action, object, reason, ...(environmentId === undefined ? {} : { environmentId }) },
    { detail, remedy },
  );
}
