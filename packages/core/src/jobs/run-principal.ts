import { shellCommand, shellOption } from '../access/shell-words.ts';

/** The account bound to a deployment. */
export interface BoundPrincipal {
  id: string;
  name: string;
  /** An active service account. */
  usable: boolean;
}

export interface PrincipalQuestion {
  bound: BoundPrincipal | null;
  environment: { name: string; protected: boolean };
  repository: string;
  /** Who asks by hand or API; null for a due time. */
  requester: { id: string; name: string } | null;
}

export type PrincipalChoice =
  | { readonly ok: true; readonly principal: { id: string; name: string } }
  | { readonly ok: false; readonly reason: string };

/** Whom a run of a job acts as (specification 2.8 rules 2 and 10); never a person for a due time. */
export function chooseRunPrincipal({ bound, environment, repository, requester }: PrincipalQuestion): PrincipalChoice {
  if (bound !== null) {
    if (bound.usable) return { ok: true, principal: { id: bound.id, name: bound.name } };
    return { ok: false, reason: `the bound run principal ${bound.name} is inactive or no longer a service account` };
  }
  if (requester === null) return { ok: false, reason: `no run principal is bound to ${repository}` };
  if (!environment.protected) return { ok: true, principal: requester };
  return {
    ok: false,
    reason: `the environment ${environment.name} is protected and no run principal is bound to ${repository}`,
  };
}

/** The command that binds one, as messages name it. */
export function bindPrincipalCommand(repository: string, environment: string): string {
  const options = [shellOption('env', environment), '--principal <service account>'];
  return shellCommand('svc deployments set-run-as', repository, options);
}
