import type { Snapshot } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/quoting.ts';
import { BreakGlassField, useIsProtected } from './break-glass.tsx';
import { refreshCatalog } from './queries.ts';

interface RollbackDialogProps {
  env: string;
  table: string;
  snapshot: Snapshot;
  onClose: () => void;
}

/** Confirms a rollback. */
export function RollbackDialog({ env, table, snapshot, onClose }: RollbackDialogProps) {
  const [reason, setReason] = useState('');
  const isProtected = useIsProtected(env);
  const rollback = useMutation({
    mutationFn: () =>
      svc.tables.rollback(env, table, snapshot.snapshot_id, { breakGlass: isProtected ? reason : undefined }),
    onSuccess: () => {
      notify(`Rolled back ${table}.`);
      onClose();
      return refreshCatalog(env);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rollback.isPending) rollback.mutate();
  };
  return (
    <Dialog label={`Roll back ${table}`} onClose={onClose}>
      <form className="body" onSubmit={submit}>
        <h2>
          Roll back <Name>{table}</Name>
        </h2>
        <p className="soft">
          The table gets the rows of <Time at={snapshot.committed_at} absolute />. Newer snapshots stay in the history,
          so you can undo this with another rollback.
        </p>
        {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
        {rollback.error === null ? null : <ErrorNotice error={rollback.error} />}
        <Command>{svcCommand('table', 'rollback', table, '--to', String(snapshot.snapshot_id), '--env', env)}</Command>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={rollback.isPending}>
            {rollback.isPending ? 'Rolling back …' : 'Roll back'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
