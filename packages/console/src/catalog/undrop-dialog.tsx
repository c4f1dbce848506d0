import type { DroppedTable } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Command } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/quoting.ts';
import { BreakGlassField, useIsProtected } from './break-glass.tsx';
import { refreshCatalog } from './queries.ts';

interface UndropDialogProps {
  env: string;
  dropped: DroppedTable;
  onClose: () => void;
}

/** Restores a dropped table, under its name or a new one. */
export function UndropDialog({ env, dropped, onClose }: UndropDialogProps) {
  const [name, setName] = useState(dropped.name);
  const [reason, setReason] = useState('');
  const isProtected = useIsProtected(env);
  const fullName = `${dropped.namespace}.${dropped.name}`;
  const newName = name === dropped.name ? undefined : name;
  const undrop = useMutation({
    mutationFn: () =>
      svc.tables.undrop(env, fullName, {
        id: dropped.uuid,
        new_name: newName,
        breakGlass: isProtected ? reason : undefined,
      }),
    onSuccess: (table) => {
      notify(`Restored ${table.namespace}.${table.name}.`);
      onClose();
      return refreshCatalog(env);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!undrop.isPending) undrop.mutate();
  };
  const as = newName === undefined ? [] : ['--as', newName];
  const command = svcCommand('table', 'undrop', fullName, '--id', dropped.uuid, ...as, '--env', env);
  return (
    <Dialog label={`Undrop ${dropped.name}`} onClose={onClose}>
      <form className="body" onSubmit={submit}>
        <h2>
          Undrop <Name>{fullName}</Name>
        </h2>
        <p className="soft">The table gets its data, history and policies back.</p>
        <div className="field">
          <label htmlFor="new-name">Name</label>
          <input
            id="new-name"
            className="input"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <p className="hint">Change it if another table has taken the name since.</p>
        </div>
        {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
        {undrop.error === null ? null : <ErrorNotice error={undrop.error} />}
        <Command>{command}</Command>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={undrop.isPending}>
            {undrop.isPending ? 'Restoring …' : 'Undrop'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
