import type { ProjectVersionSummary } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { ActionDialog } from '../design/action-dialog.tsx';
import { ErrorNotice, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { Changes } from './changes.tsx';
import { comparisonQuery, refreshProjects } from './queries.ts';

interface RollbackDialogProps {
  env: string;
  repository: string;
  /** The id of the active version. */
  active: string;
  target: ProjectVersionSummary;
  onClose: () => void;
}

/** What a rollback would change. */
function Difference({ env, active, target }: Pick<RollbackDialogProps, 'env' | 'active' | 'target'>) {
  const { data, error } = useQuery(comparisonQuery(env, target.id, active));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={3} label="Comparing the versions" />;
  return (
    <section className="card changes" aria-label="What changes" tabIndex={0}>
      <Changes changes={data} />
    </section>
  );
}

/** Confirms the activation of an earlier version. */
export function RollbackDialog({ env, repository, active, target, onClose }: RollbackDialogProps) {
  return (
    <ActionDialog
      verb="Roll back"
      pending="Rolling back"
      object={repository}
      command={svcCommand('rollback', repository, { env, to: target.id })}
      action={async () => {
        await svc.deployments.rollback(env, repository, { project_version_id: target.id });
        return `Rolled back ${repository}.`;
      }}
      onDone={() => refreshProjects(env)}
      onClose={onClose}
    >
      <p className="soft">
        The version of <Time at={target.created_at} absolute /> becomes active, with its jobs. An active run finishes on
        its own version, and waiting starts of removed jobs are dropped. Tables change when the next run builds them.
      </p>
      <Difference env={env} active={active} target={target} />
    </ActionDialog>
  );
}
