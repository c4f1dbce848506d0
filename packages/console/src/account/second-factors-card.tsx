import type { SecondFactor } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { refreshSession } from '../session/session.ts';
import { svcCommand } from '../text/commands.ts';
import { AddAppDialog, AddKeyDialog } from './add-factor-dialogs.tsx';
import { ConfirmedDialog } from './confirmed-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const factorsQuery = queryOptions({
  queryKey: ['second-factors'],
  queryFn: ({ signal }) => svc.secondFactors.list({ signal }),
});

const KINDS = { totp: 'authenticator app', 'security-key': 'security key or passkey' } as const;

type Open = { kind: 'app' | 'key' | 'codes' } | { kind: 'remove'; factor: SecondFactor };

function FactorTable({ factors, onRemove }: { factors: readonly SecondFactor[]; onRemove: (f: SecondFactor) => void }) {
  return (
    <DataTable columns={['Name', 'Kind', ['Last used', 'wide-only'], ACTIONS]}>
      {factors.map((factor) => (
        <tr key={factor.id}>
          <td>
            <Name>{factor.name}</Name>
          </td>
          <td className="soft">{KINDS[factor.kind]}</td>
          <td className="soft wide-only">
            {factor.last_used_at === null ? 'never' : <Time at={factor.last_used_at} />}
          </td>
          <td className="fit">
            <button type="button" className="button small danger" onClick={() => onRemove(factor)}>
              Remove<span className="hidden"> {factor.name}</span>
            </button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** The second factors of the signed-in person. */
export function SecondFactorsCard() {
  const { data, error, refetch } = useQuery(factorsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const close = () => setOpen(null);
  const changed = async (shown: readonly string[]) => {
    close();
    setCodes(shown);
    await Promise.all([cache.invalidateQueries(factorsQuery), refreshSession()]);
  };
  if (data === undefined)
    return (
      <div className="card">{error === null ? <Loading rows={2} /> : <ErrorState error={error} retry={refetch} />}</div>
    );
  const { factors, recovery_codes_left: left } = data;
  return (
    <section className="stack" aria-label="Second factors">
      <h2>Second factors</h2>
      {data.required ? (
        <div className="notice warn" role="status">
          <p>This service requires a second factor. Add one to continue.</p>
        </div>
      ) : null}
      {codes.length > 0 ? <RecoveryCodes codes={codes} /> : null}
      <div className="card">
        {factors.length === 0 ? (
          <Empty icon="key" title="No second factors" command={svcCommand('second-factor add', 'NAME', {})}>
            With a second factor, your password alone opens no session.
          </Empty>
        ) : (
          <FactorTable factors={factors} onRemove={(factor) => setOpen({ kind: 'remove', factor })} />
        )}
      </div>
      <div className="row">
        <button type="button" className="button primary" onClick={() => setOpen({ kind: 'app' })}>
          Add authenticator app …
        </button>
        <button type="button" className="button" onClick={() => setOpen({ kind: 'key' })}>
          Add security key or passkey …
        </button>
        {factors.length > 0 ? (
          <button type="button" className="button" onClick={() => setOpen({ kind: 'codes' })}>
            Replace recovery codes …
          </button>
        ) : null}
      </div>
      {factors.length > 0 ? <p className="soft">Recovery codes left: {left}</p> : null}
      {open?.kind === 'app' ? <AddAppDialog onAdded={changed} onClose={close} /> : null}
      {open?.kind === 'key' ? <AddKeyDialog onAdded={changed} onClose={close} /> : null}
      {open?.kind === 'codes' ? (
        <ConfirmedDialog
          label="Replace recovery codes"
          verb="Replace"
          pending="Replacing"
          command={svcCommand('second-factor recovery-codes', null, {})}
          action={async () => changed((await svc.secondFactors.replaceRecoveryCodes()).recovery_codes)}
          onClose={close}
        >
          <p className="soft">The previous recovery codes stop working.</p>
        </ConfirmedDialog>
      ) : null}
      {open?.kind === 'remove' ? (
        <ConfirmedDialog
          label={`Remove ${open.factor.name}`}
          verb="Remove"
          pending="Removing"
          command={svcCommand('second-factor delete', open.factor.name, {})}
          isDangerous
          action={async () => {
            await svc.secondFactors.remove(open.factor.id);
            await changed([]);
          }}
          onClose={close}
        >
          <p className="soft">The recovery codes go with the last second factor.</p>
        </ConfirmedDialog>
      ) : null}
    </section>
  );
}
