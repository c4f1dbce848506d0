import type { Table, TableRetention } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Permission, useOwnPermissions } from '../access/use-own-permission.ts';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { sessionQuery } from '../session/session.ts';
import { plural } from '../text/numbers.ts';
import { useIsProtected } from './break-glass.tsx';
import { HoldDialog, ReleaseDialog } from './hold-dialogs.tsx';
import { retentionQuery } from './queries.ts';
import { RetentionDialog } from './retention-dialog.tsx';

interface RetentionProps {
  env: string;
  table: Table;
}

/** The rule that applies, as in "30 days without use". */
function ruleText({ days, on, never }: TableRetention): string {
  if (never) return 'never expires';
  if (on !== null) return `expires on ${on}, at midnight UTC`;
  return days === null ? 'none' : `${plural(days, 'day')} without use`;
}

const SOURCES = { table: 'the table', environment: 'the environment' } as const;

/** Why the table doesn't expire, whatever its rule; null if nothing prevents it. */
function preventionText(env: string, isProtected: boolean, { kept, hold }: TableRetention): string | null {
  if (isProtected) return `The environment ${env} is protected: its tables never expire, and no retention can be set.`;
  if (kept === 'project_asset') return 'A deployed project builds this table, so it does not expire.';
  return hold === null ? null : 'The table does not expire while it has a legal hold.';
}

function Rule({ env, retention }: { env: string; retention: TableRetention }) {
  const isProtected = useIsProtected(env) || retention.kept === 'protected';
  const { source, set_by, set_at, last_activity_at, expires_at } = retention;
  const prevention = preventionText(env, isProtected, retention);
  return (
    <>
      <Facts
        facts={[
          ['Rule', ruleText(retention)],
          ['Rule of', source === null ? '–' : SOURCES[source]],
          ['Set by', set_by === null ? '–' : <Name key="by">{set_by}</Name>],
          ['Set', set_at === null ? '–' : <Time key="at" at={set_at} />],
          ['Last use', <Time key="use" at={last_activity_at} />],
          ['Expires', expires_at === null ? 'never' : <Time key="expires" at={expires_at} />],
        ]}
      />
      {prevention === null ? null : <p className="notice">{prevention}</p>}
      <p className="soft">
        {source === 'environment'
          ? 'The rule of the environment applies, because the table has none of its own.'
          : 'A rule of the table comes before that of its environment. An expired table can be restored for the undo period.'}
      </p>
    </>
  );
}

function Hold({ hold }: Pick<TableRetention, 'hold'>) {
  if (hold === null)
    return <p className="soft">No legal hold. While there is one, neither a purge nor retention deletes the files.</p>;
  const { reason, until, set_by, set_at } = hold;
  return (
    <Facts
      facts={[
        ['Reason', <Name key="reason">{reason}</Name>],
        ['Ends', until === null ? 'when it is released' : <Time key="until" at={until} />],
        ['Placed by', set_by === null ? '–' : <Name key="by">{set_by}</Name>],
        ['Placed', <Time key="at" at={set_at} />],
      ]}
    />
  );
}

/** What to offer the signed-in principal, by the permissions that the service reports. The service still decides by the rule. */
function useCanChange(env: string, { namespace, name, owner }: Table) {
  const { data } = useOwnPermissions({ environment: env, namespace, table: name });
  const self = useQuery(sessionQuery).data?.principal.name;
  const has = (action: Permission['action']) =>
    data?.permissions.some((permission) => permission.action === action && permission.allowed) ?? false;
  const drops = has('DROP_TABLE');
  const isOwner = owner !== null && owner === self;
  return { rule: !useIsProtected(env) && (isOwner || drops || has('WRITE_TABLE')), hold: drops };
}

/** The rule that decides whether and when the table expires, and its legal hold. */
export function RetentionTab({ env, table }: RetentionProps) {
  const name = `${table.namespace}.${table.name}`;
  const { data, error, refetch } = useQuery(retentionQuery(env, name));
  const can = useCanChange(env, table);
  const [opened, setOpened] = useState<'rule' | 'hold' | 'release' | null>(null);
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  const close = () => setOpened(null);
  return (
    <div className="stack padded">
      <h2>Retention</h2>
      <Rule env={env} retention={data} />
      {can.rule ? (
        <div>
          <button type="button" className="button" onClick={() => setOpened('rule')}>
            Set retention …
          </button>
        </div>
      ) : null}
      <h2>Legal hold</h2>
      <Hold hold={data.hold} />
      {can.hold ? (
        <div className="row">
          <button type="button" className="button" onClick={() => setOpened('hold')}>
            {data.hold === null ? 'Place a legal hold …' : 'Change the legal hold …'}
          </button>
          {data.hold === null ? null : (
            <button type="button" className="button danger" onClick={() => setOpened('release')}>
              Release the legal hold …
            </button>
          )}
        </div>
      ) : null}
      {opened === 'rule' ? <RetentionDialog env={env} table={name} retention={data} onClose={close} /> : null}
      {opened === 'hold' ? <HoldDialog env={env} table={name} hold={data.hold} onClose={close} /> : null}
      {opened === 'release' ? <ReleaseDialog env={env} table={name} onClose={close} /> : null}
    </div>
  );
}
