import type { DroppedTable } from '@svc/sdk/browser';
import { useState } from 'react';
import { Field } from '../design/fields.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { ChangeDialog } from './change-dialog.tsx';

interface UndropDialogProps {
  env: string;
  dropped: DroppedTable;
  onClose: () => void;
}

/** Restores a dropped table, under its name or a new one. */
export function UndropDialog({ env, dropped, onClose }: UndropDialogProps) {
  const [name, setName] = useState(dropped.name);
  const { uuid: id, namespace } = dropped;
  const table = `${namespace}.${dropped.name}`;
  const newName = name === dropped.name ? undefined : name;
  return (
    <ChangeDialog
      env={env}
      verb="Undrop"
      pending="Restoring"
      table={table}
      command={svcCommand('table undrop', table, { id, as: newName, env })}
      change={async (options) => {
        const restored = await svc.tables.undrop(env, table, { id, new_name: newName, ...options });
        return `Restored ${restored.namespace}.${restored.name}.`;
      }}
      onClose={onClose}
    >
      <p className="soft">The table gets its data, history and policies back.</p>
      <Field
        label="Name"
        required
        value={name}
        hint="Change it if another table has taken the name since."
        onChange={setName}
      />
    </ChangeDialog>
  );
}
