import { READ_ONLY_ACTIONS } from '@svc/core/access';
import type { TokenRecord as Token } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { CopyButton } from '../design/copy.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';
import { localInputTime } from '../text/times.ts';
import { ExpiryField } from './expiry-field.tsx';
import { meQuery, refreshAccess, tokensQuery } from './queries.ts';
import { scopeText } from './scope-text.ts';
import type { TabProps } from './tabs.ts';
import { TokenUse } from './token-use.tsx';

/** Shows a new token until the dialog is closed. It is in no cache and no storage. */
function IssuedDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog label="Issue token" onClose={onClose}>
      <div className="body">
        <h2>Issue token</h2>
        <div className="notice warn" role="status">
          <p>Copy the token now. It is shown only once.</p>
          <div className="row">
            <code className="name">{token}</code>
            <CopyButton text={token} label="Copy the token" />
          </div>
        </div>
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function IssueDialog({ self, env, onClose }: { self: string; env: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [until, setUntil] = useState('');
  const [isHere, setHere] = useState(false);
  const [isReadOnly, setReadOnly] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const expires = localInputTime(until);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const issued = await svc.tokens.issue(self, name, {
        expires_at: expires,
        environments: isHere ? [env] : undefined,
        actions: isReadOnly ? [...READ_ONLY_ACTIONS] : undefined,
      });
      setToken(issued.token);
    },
    onSuccess: refreshAccess,
    gcTime: 0,
  });
  if (token !== null) return <IssuedDialog token={token} onClose={onClose} />;
  return (
    <FormDialog
      label="Issue token"
      verb="Issue"
      pending="Issuing"
      command={svcCommand('token issue', [self, name || 'NAME'], {
        'expires-at': expires,
        environment: isHere ? env : undefined,
        'read-only': isReadOnly,
      })}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <p className="soft">The token can do everything that you can, unless you limit it. Use one for each program.</p>
      <Field label="Name" required value={name} onChange={setName} />
      <ExpiryField value={until} onChange={setUntil} />
      <label className="row">
        <input type="checkbox" checked={isHere} onChange={(event) => setHere(event.target.checked)} />
        Only in environment {env}
      </label>
      <label className="row">
        <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} />
        Only read tables and run queries
      </label>
    </FormDialog>
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

/** Revokes sessions, some of which may have ended since they were listed. Returns how many were open. */
async function signOutAll(self: string, sessions: readonly Token[]): Promise<number> {
  let ended = 0;
  for (const { id } of sessions)
    try {
      await svc.tokens.revoke(id);
      ended++;
    } catch (error) {
      if ((await svc.tokens.list(self)).some((token) => token.id === id)) throw error;
    }
  return ended;
}

interface SignOutProps {
  self: string;
  sessions: readonly Token[];
  onClose: () => void;
}

function SignOutDialog({ self, sessions, onClose }: SignOutProps) {
  return (
    <ActionDialog
      verb="Sign out"
      pending="Signing out"
      object={plural(sessions.length, 'other session')}
      command={svcCommand('session revoke', null, { others: true })}
      isDangerous
      action={async () => `Signed out ${plural(await signOutAll(self, sessions), 'other session')}.`}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">These browsers and terminals are signed out. Tokens stay valid.</p>
      <ul aria-label="Sessions that end">
        {sessions.map((session) => (
          <li key={session.id}>
            Signed in <Time at={session.created_at} />, last used: <TokenUse token={session} />
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}

interface TokensProps {
  title: string;
  tokens: readonly Token[];
  current: string | undefined;
  empty: ReactNode;
  /** A button for all of them. */
  action?: ReactNode;
  onRevoke: (token: Token) => void;
}

function Tokens({ title, tokens, current, empty, action, onRevoke }: TokensProps) {
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      {action}
      <div className="card">
        {tokens.length === 0 ? (
          empty
        ) : (
          <DataTable
            columns={['Name', ['Scope', 'wide-only'], ['Created', 'wide-only'], 'Last used', 'Expires', ACTIONS]}
          >
            {tokens.map((token) => (
              <tr key={token.id}>
                <td>
                  <span className="row">
                    <Name>{token.name}</Name>
                    {token.id === current ? <Badge tone="info">this browser</Badge> : null}
                  </span>
                </td>
                <td className="soft wide-only">{scopeText(token)}</td>
                <td className="soft wide-only">
                  <Time at={token.created_at} />
                </td>
                <td className="soft">
                  <TokenUse token={token} />
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
export function TokensTab({ self, env }: TabProps) {
  const { data, error, refetch } = useQuery(tokensQuery(self));
  const current = useQuery(meQuery).data?.token.id;
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  const [isSigningOut, setSigningOut] = useState(false);
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  const [sessions, tokens] = [true, false].map((isSession) =>
    data.filter(({ kind }) => (kind === 'session') === isSession),
  );
  const others = current === undefined ? [] : (sessions ?? []).filter(({ id }) => id !== current);
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
        action={
          others.length === 0 ? null : (
            <div>
              <button type="button" className="button" onClick={() => setSigningOut(true)}>
                Sign out all others …
              </button>
            </div>
          )
        }
        onRevoke={setRevoked}
      />
      {isIssuing ? <IssueDialog self={self} env={env} onClose={() => setIssuing(false)} /> : null}
      {revoked === null ? null : <RevokeTokenDialog token={revoked} onClose={() => setRevoked(null)} />}
      {isSigningOut ? <SignOutDialog self={self} sessions={others} onClose={() => setSigningOut(false)} /> : null}
    </>
  );
}
