import type { Table } from '@svc/sdk/browser';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Field } from '../design/fields.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { refreshCatalog } from './queries.ts';

interface HoldProps {
  env: string;
  table: string;
  onClose: () => void;
}

/** Places a legal hold, or replaces the one that there is. */
export function HoldDialog({ env, table, hold, onClose }: HoldProps & Pick<Table, 'hold'>) {
  const [reason, setReason] = useState(hold?.reason ?? '');
  const [until, setUntil] = useState(hold?.until ?? '');
  const end = until === '' ? undefined : until;
  return (
    <ActionDialog
      verb={hold === null ? 'Place a legal hold on' : 'Change the legal hold on'}
      pending="Saving"
      object={table}
      command={svcCommand('table hold', table, { env, reason, until: end })}
      action={async () => {
        await svc.tables.hold(env, table, { reason, until: end });
        return `Placed a legal hold on ${table}.`;
      }}
      onDone={() => refreshCatalog(env)}
      onClose={onClose}
    >
      <p className="soft">While it lasts, neither a purge nor retention deletes the files of the table.</p>
      <Field
        label="Reason"
        required
        value={reason}
        hint="The audit log records it, and everyone who can read the table sees it."
        onChange={setReason}
      />
      <Field label="Ends on (empty: when it is released)" type="date" value={until.slice(0, 10)} onChange={setUntil} />
    </ActionDialog>
  );
}

export function ReleaseDialog({ env, table, onClose }: HoldProps) {
  return (
    <ActionDialog
      verb="Release the legal hold on"
      pending="Releasing"
      object={table}
      command={svcCommand('table release', table, { env })}
      isDangerous
      action={async () => {
        await svc.tables.release(env, table);
        return `Released the legal hold on ${table}.`;
      }}
      onDone={() => refreshCatalog(env)}
      onClose={onClose}
    >
      <p className="soft">From then on, retention and purges can delete the files of the table.</p>
    </ActionDialog>
  );
}
