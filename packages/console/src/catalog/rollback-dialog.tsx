import type { Snapshot } from '@svc/sdk/browser';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { ChangeDialog } from './change-dialog.tsx';

interface RollbackDialogProps {
  env: string;
  table: string;
  snapshot: Snapshot;
  onClose: () => void;
}

/** Confirms a rollback. */
export function RollbackDialog({ env, table, snapshot, onClose }: RollbackDialogProps) {
  const { snapshot_id: id, committed_at } = snapshot;
  return (
    <ChangeDialog
      env={env}
      verb="Roll back"
      pending="Rolling back"
      table={table}
      command={svcCommand('table rollback', table, { to: String(id), env })}
      change={async (options) => {
        await svc.tables.rollback(env, table, id, options);
        return `Rolled back ${table}.`;
      }}
      onClose={onClose}
    >
      <p className="soft">
        The table gets the rows of <Time at={committed_at} absolute />. Newer snapshots stay in the history, so you can
        undo this with another rollback.
      </p>
    </ChangeDialog>
  );
}
