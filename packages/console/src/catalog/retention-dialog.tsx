import type { TableRetention } from '@svc/sdk/browser';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Field } from '../design/fields.tsx';
import { Options } from '../design/options.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { refreshCatalog } from './queries.ts';

interface RetentionDialogProps {
  env: string;
  table: string;
  retention: TableRetention;
  onClose: () => void;
}

const KINDS = {
  days: 'After days without use',
  on: 'On a day',
  never: 'Never',
} as const;
type Kind = keyof typeof KINDS;

/** Sets the table's own rule. */
export function RetentionDialog({ env, table, retention, onClose }: RetentionDialogProps) {
  const own = retention.source === 'table' ? retention : null;
  const [kind, setKind] = useState<Kind>(own?.never ? 'never' : own?.on ? 'on' : 'days');
  const [days, setDays] = useState(String(retention.days ?? 30));
  const [on, setOn] = useState(own?.on ?? '');
  const rule = kind === 'days' ? { days: Number(days) } : kind === 'on' ? { on } : ({ never: true } as const);
  const options = kind === 'days' ? { days } : kind === 'on' ? { on } : { never: true };
  return (
    <ActionDialog
      verb="Set retention"
      pending="Saving"
      object={table}
      command={svcCommand('table retention', table, { env, ...options })}
      isReady={kind === 'never' || (kind === 'on' ? on !== '' : days !== '')}
      action={async () => {
        await svc.tables.setRetention(env, table, rule);
        return `Set the retention of ${table}.`;
      }}
      onDone={() => refreshCatalog(env)}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="expires">The table expires</label>
        <select id="expires" className="select" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          <Options of={Object.entries(KINDS)} />
        </select>
        <p className="hint">
          {kind === 'never'
            ? 'Also if the environment has a rule. A rule can be replaced, but not removed.'
            : 'An expired table is dropped. It can be restored for the undo period.'}
        </p>
      </div>
      {kind === 'days' ? (
        <Field label="Days without use" type="number" required min={1} step={1} value={days} onChange={setDays} />
      ) : null}
      {kind === 'on' ? (
        <Field
          label="Day"
          type="date"
          required
          value={on}
          hint="At midnight UTC, at the start of this day."
          onChange={setOn}
        />
      ) : null}
    </ActionDialog>
  );
}
