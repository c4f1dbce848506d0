import { REQUEST_STATES } from '@svc/core/access-requests';
import type { AccessRequest } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { objectText } from '../../catalog/object-target.ts';
import { Badge } from '../../design/badge.tsx';
import { ACTIONS } from '../../design/data-table.tsx';
import { Listing } from '../../design/listing.tsx';
import { Name } from '../../design/name.tsx';
import { Options } from '../../design/options.tsx';
import { Empty } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { svcCommand } from '../../text/commands.ts';
import { choiceOf } from '../object-fields.tsx';
import { accessRequestsQuery } from '../queries.ts';
import type { TabProps } from '../tabs.ts';
import { useOwnPermission } from '../use-own-permission.ts';
import { ApproveDialog, RejectDialog, WithdrawDialog } from './decision-dialogs.tsx';
import { RequestDialog } from './request-dialog.tsx';

const COLUMNS = ['By', 'Requests', 'On', 'State', ['Created', 'wide-only'], ACTIONS] as const;
const TONES = { pending: 'info', approved: 'good', rejected: 'bad', withdrawn: 'plain' } as const;

interface RowProps {
  request: AccessRequest;
  isOwn: boolean;
  canDecide: boolean;
  onDecide: (decision: Decision) => void;
}

type Decision = { readonly verb: 'approve' | 'reject' | 'withdraw'; readonly request: AccessRequest };

function RequestRow({ request, isOwn, canDecide, onDecide }: RowProps) {
  const { principal, role, action, state, reason, comment, expires_at, decided_by } = request;
  const verbs = [...(canDecide ? (['approve', 'reject'] as const) : []), ...(isOwn ? (['withdraw'] as const) : [])];
  return (
    <tr>
      <td>
        <Name>{principal}</Name>
      </td>
      <td>
        <span className="mono">{role ?? action}</span>
        {expires_at === null ? null : (
          <span className="soft">
            {' '}
            until <Time at={expires_at} />
          </span>
        )}
        {reason === null ? null : (
          <div className="soft statement">
            <Name>{reason}</Name>
          </div>
        )}
      </td>
      <td>
        <Name>{objectText(request)}</Name>
      </td>
      <td>
        <Badge tone={TONES[state]}>{state}</Badge>
        {decided_by === null ? null : (
          <span className="soft">
            {' '}
            by <Name>{decided_by}</Name>
          </span>
        )}
        {comment === null ? null : (
          <div className="soft statement">
            <Name>{comment}</Name>
          </div>
        )}
      </td>
      <td className="soft wide-only">
        <Time at={request.created_at} />
      </td>
      <td className="fit">
        {state !== 'pending'
          ? null
          : verbs.map((verb) => (
              <button key={verb} type="button" className="button small" onClick={() => onDecide({ verb, request })}>
                {LABELS[verb]}
                <span className="hidden">
                  {' '}
                  {role ?? action} for {principal}
                </span>
              </button>
            ))}
      </td>
    </tr>
  );
}

const LABELS = { approve: 'Approve', reject: 'Reject', withdraw: 'Withdraw' };
const DIALOGS = { approve: ApproveDialog, reject: RejectDialog, withdraw: WithdrawDialog };

/** Requests for access, and what administrators decided. */
export function RequestsTab({ env, search, self, onChange }: TabProps) {
  const state = REQUEST_STATES.find((each) => each === search.state);
  const query = useInfiniteQuery(accessRequestsQuery(state));
  const canDecide = useOwnPermission('MANAGE_GRANT', {})?.allowed ?? false;
  const [isRequesting, setRequesting] = useState(false);
  const [decision, setDecision] = useState<Decision | null>(null);
  const DecisionDialog = decision === null ? null : DIALOGS[decision.verb];
  return (
    <>
      <div className="row spread access-bar">
        <select
          className="select"
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => onChange({ state: event.target.value || undefined })}
        >
          <option value="">All states</option>
          <Options of={REQUEST_STATES} />
        </select>
        <button type="button" className="button primary" onClick={() => setRequesting(true)}>
          Request access …
        </button>
      </div>
      <section className="card" aria-label="Requests for access">
        <Listing
          query={query}
          columns={COLUMNS}
          empty={
            <Empty
              icon="key"
              title={state === undefined ? 'No requests' : `No ${state} requests`}
              command={svcCommand('access request', null, { role: 'ANALYST', env, reason: 'TEXT' })}
            >
              A request asks an administrator for a role or a single action on an object.
            </Empty>
          }
          row={(request) => (
            <RequestRow
              key={request.id}
              request={request}
              isOwn={request.principal === self}
              canDecide={canDecide}
              onDecide={setDecision}
            />
          )}
        />
      </section>
      {isRequesting ? (
        <RequestDialog env={env} initial={choiceOf(search)} onClose={() => setRequesting(false)} />
      ) : null}
      {decision === null || DecisionDialog === null ? null : (
        <DecisionDialog request={decision.request} onClose={() => setDecision(null)} />
      )}
    </>
  );
}
