import { useState } from 'react';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { svc } from '../../service/client.ts';
import { svcCommand } from '../../text/commands.ts';
import { localInputTime } from '../../text/times.ts';
import { ExpiryField } from '../expiry-field.tsx';
import { namesOf, type ObjectChoice, ObjectFields } from '../object-fields.tsx';
import { refreshAccess } from '../queries.ts';
import { RightField, rightOf } from '../right-field.tsx';
import { TextField } from './text-field.tsx';

/** Requests a role or a single action for the signed-in principal. */
export function RequestDialog({ env, initial, onClose }: { env: string; initial: ObjectChoice; onClose: () => void }) {
  const [choice, setChoice] = useState(initial);
  const [chosen, setChosen] = useState('ANALYST');
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const { right, fields } = rightOf(chosen, choice.kind);
  const object = namesOf(env, choice);
  const expires = localInputTime(until);
  return (
    <ActionDialog
      verb="Request access"
      pending="Requesting"
      object={null}
      command={svcCommand('access request', null, {
        ...fields,
        env: object?.environment,
        ns: object?.namespace,
        table: object?.table,
        reason: reason.trim() || undefined,
        'expires-at': expires,
      })}
      isReady={object !== null}
      action={async () => {
        await svc.accessRequests.create({ ...fields, ...object, reason: reason.trim() || null, expires_at: expires });
        return `Requested ${right}. An administrator decides about it.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <RightField kind={choice.kind} value={right} onChange={setChosen} />
      <div className="field">
        <span className="label">On</span>
        <div className="row">
          <ObjectFields env={env} value={choice} onChange={setChoice} />
        </div>
      </div>
      <TextField label="Reason (optional)" value={reason} onChange={setReason} />
      <ExpiryField value={until} onChange={setUntil} />
    </ActionDialog>
  );
}
