import type { TokenRecord as Token } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { Command, CopyButton } from '../design/copy.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { localInputTime } from '../text/times.ts';
import { ExpiryField } from './expiry-field.tsx';
import { meQuery, refreshAccess, tokensQuery } from './queries.ts';
import type { TabProps } from './tabs.ts';

/** Issues a token, and shows it until the dialog is closed. It is in no cache and no storage. */
function IssueDialog({ self, onClose }: { self: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [until, setUntil] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const expires = localInputTime(until);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const issued = await svc.tokens.issue(self, name, { expires_at: expires });
      setToken(issued.token);
    },
    onSuccess: refreshAccess,
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && token === null) mutate();
  };
  return (
    <Dialog label="Issue token" onClose={onClose}>
      <form className="body" onSubmit={submit} autoComplete="off">
        <h2>Issue token</h2>
        {token === null ? (
          <>
            <p className="soft">The token can do everything that you can. Use one for each program.</p>
            <div className="field">
              <label htmlFor="token-name">Name</label>
              <input
                id="token-name"
                className="input"
                required
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </div>
            <ExpiryField value={until} onChange={setUntil} />
            {error === null ? null : <ErrorNotice error={error} />}
            <Command>{svcCommand('token issue', [self, name || 'NAME'], { 'expires-at': expires })}</Command>
          </>
        ) : (
          <div className="notice warn" role="status">
            <p>Copy the token now. It is shown only once.</p>
            <div className="row">
              <code className="name">{token}</code>
              <CopyButton text={token} label="Copy the token" />
            </div>
          </div>
        )}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {token === null ? 'Cancel' : 'Done'}
          </button>
          {token === null ? (
            <button type="submit" className="button primary" disabled={isPending}>
              {isPending ? 'Issuing …' : 'Issue'}
            </button>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

function RevokeTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { id, name, kind } = token;
  return (
    <ActionDialog
      verb="Revoke"
      pending="Revoking"
      object={name}
      command={svcCommand('token revoke', id, {})}
      isDangerous
      action={async () => {
        await svc.tokens.revoke(id);
        return `Revoked ${name}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        {kind === 'session'
          ? 'The browser or terminal with this session is signed out.'
          : 'Programs with this token are rejected from the next request on.'}
      </p>
    </ActionDialog>
  );
}

interface TokensProps {
  title: string;
  tokens: readonly Token[];
  current: string | undefined;
  empty: ReactNode;
  onRevoke: (token: Token) => void;
}

function Tokens({ title, tokens, current, empty, onRevoke }: TokensProps) {
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <div className="card">
        {tokens.length === 0 ? (
          empty
        ) : (
          <DataTable columns={['Name', ['Kind', 'wide-only'], ['Created', 'wide-only'], 'Expires', ACTIONS]}>
            {tokens.map((token) => (
              <tr key={token.id}>
                <td>
                  <span className="row">
                    <Name>{token.name}</Name>
                    {token.id === current ? <Badge tone="info">this browser</Badge> : null}
                  </span>
                </td>
                <td className="soft wide-only">{token.kind}</td>
                <td className="soft wide-only">
                  <Time at={token.created_at} />
                </td>
                <td className="soft">{token.expires_at === null ? 'never' : <Time at={token.expires_at} />}</td>
                <td className="fit">
                  {token.id === current ? null : (
                    <button type="button" className="button small danger" onClick={() => onRevoke(token)}>
                      Revoke<span className="hidden"> {token.name}</span>
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </div>
    </section>
  );
}

/** The tokens and sessions of the signed-in principal. */
export function TokensTab({ self }: TabProps) {
  const { data, error, refetch } = useQuery(tokensQuery(self));
  const current = useQuery(meQuery).data?.token.id;
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  const [sessions, tokens] = [true, false].map((isSession) =>
    data.filter(({ kind }) => (kind === 'session') === isSession),
  );
  return (
    <>
      <div>
        <button type="button" className="button primary" onClick={() => setIssuing(true)}>
          Issue token …
        </button>
      </div>
      <Tokens
        title="Tokens"
        tokens={tokens ?? []}
        current={current}
        empty={
          <Empty icon="key" title="No tokens" command={svcCommand('token issue', [self, 'NAME'], {})}>
            A token signs a program in as you: a script, a notebook or a BI tool.
          </Empty>
        }
        onRevoke={setRevoked}
      />
      <Tokens
        title="Sessions"
        tokens={sessions ?? []}
        current={current}
        empty={<Empty icon="key" title="No sessions" />}
        onRevoke={setRevoked}
      />
      {isIssuing ? <IssueDialog self={self} onClose={() => setIssuing(false)} /> : null}
      {revoked === null ? null : <RevokeTokenDialog token={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}
