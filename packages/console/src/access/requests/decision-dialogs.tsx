import type { AccessRequest } from '@svc/sdk/browser';
import { useState } from 'react';
import { objectText } from '../../catalog/object-target.ts';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { Name } from '../../design/name.tsx';
import { Time } from '../../design/time.tsx';
import { svc } from '../../service/client.ts';
import { svcCommand } from '../../text/commands.ts';
import { localInputTime } from '../../text/times.ts';
import { ExpiryField } from '../expiry-field.tsx';
import { refreshAccess } from '../queries.ts';
import { TextField } from './text-field.tsx';

interface DecisionProps {
  request: AccessRequest;
  onClose: () => void;
}

const whatOf = ({ role, action, principal }: AccessRequest): string => `${role ?? action} for ${principal}`;

/** Approves a request, which creates the grant. */
export function ApproveDialog({ request, onClose }: DecisionProps) {
  const [comment, setComment] = useState('');
  const [until, setUntil] = useState('');
  const expires = localInputTime(until);
  return (
    <ActionDialog
      verb="Approve"
      pending="Approving"
      object={whatOf(request)}
      command={svcCommand('access approve', request.id, {
        comment: comment.trim() || undefined,
        'expires-at': expires,
      })}
      action={async () => {
        const options = expires === undefined ? {} : { expires_at: expires };
        await svc.accessRequests.approve(request.id, { comment: comment.trim() || null, ...options });
        return `Approved ${whatOf(request)}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        <Name>{request.principal}</Name> gets a grant on <Name>{objectText(request)}</Name>
        {request.expires_at === null ? (
          ', until it is revoked.'
        ) : (
          <>
            , until <Time at={request.expires_at} />.
          </>
        )}{' '}
        Another expiry replaces the requested one.
      </p>
      <ExpiryField value={until} onChange={setUntil} />
      <TextField label="Comment (optional)" value={comment} onChange={setComment} />
    </ActionDialog>
  );
}

export function RejectDialog({ request, onClose }: DecisionProps) {
  const [comment, setComment] = useState('');
  return (
    <ActionDialog
      verb="Reject"
      pending="Rejecting"
      object={whatOf(request)}
      command={svcCommand('access reject', request.id, { comment: comment.trim() || undefined })}
      action={async () => {
        await svc.accessRequests.reject(request.id, { comment: comment.trim() || null });
        return `Rejected ${whatOf(request)}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        <Name>{request.principal}</Name> sees the comment.
      </p>
      <TextField label="Comment (optional)" value={comment} onChange={setComment} />
    </ActionDialog>
  );
}

export function WithdrawDialog({ request, onClose }: DecisionProps) {
  return (
    <ActionDialog
      verb="Withdraw"
      pending="Withdrawing"
      object={whatOf(request)}
      command={svcCommand('access withdraw', request.id, {})}
      action={async () => {
        await svc.accessRequests.withdraw(request.id);
        return 'Withdrew the request.';
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">Administrators no longer see it as pending.</p>
    </ActionDialog>
  );
}
