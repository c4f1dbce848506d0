import { shellCommand, shellOption } from '../command-lines/index.ts';

/** The service account bound to a deployment. */
export interface BoundPrincipal {
  id: string;
  name: string;
  /** Whether it is an active service account. */
  usable: boolean;
}

export interface PrincipalQuestion {
  bound: BoundPrincipal | null;
  environment: { name: string; protected: boolean };
  repository: string;
  /** The caller of a manual or API start; null for a scheduled time. */
  requester: { id: string; name: string } | null;
}

export type PrincipalChoice =
  | { readonly ok: true; readonly principal: { id: string; name: string } }
  | { readonly ok: false; readonly reason: string };

/** The principal that a run of a job acts as (JOBS-2, JOBS-10). A scheduled run never acts as a person. */
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

/** The command that binds a run principal, for messages. */
export function bindPrincipalCommand(repository: string, environment: string): string {
  const options = [shellOption('env', environment), '--principal <service account>'];
  return shellCommand('svc deployments set-run-as', repository, options);
}
