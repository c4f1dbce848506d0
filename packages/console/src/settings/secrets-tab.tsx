import type { Secret } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Field } from '../design/fields.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { refreshSettings, secretsQuery } from './queries.ts';

interface Entry {
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

const emptyEntry = (id: number, key = ''): Entry => ({ id, key, value: '' });

interface ValueFieldsProps {
  entries: readonly Entry[];
  onChange: (entries: Entry[]) => void;
}

/** Names and values of a secret. A value can be written and never read. */
function ValueFields({ entries, onChange }: ValueFieldsProps) {
  const change = (id: number, part: Partial<Entry>) =>
    onChange(entries.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)));
  const next = Math.max(...entries.map(({ id }) => id)) + 1;
  return (
    <div className="stack">
      {entries.map(({ id, key, value }) => (
        <div key={id} className="row nested">
          <input
            className="input"
            aria-label={`Name of value ${id}`}
            placeholder="Name"
            required
            spellCheck={false}
            autoComplete="off"
            value={key}
            onChange={(event) => change(id, { key: event.target.value })}
          />
          <input
            type="password"
            className="input"
            aria-label={`Value ${id}`}
            placeholder="Value"
            required
            autoComplete="off"
            data-1p-ignore
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
          />
          {entries.length === 1 ? null : (
            <button
              type="button"
              className="button"
              onClick={() => onChange(entries.filter((entry) => entry.id !== id))}
            >
              Remove<span className="hidden"> value {id}</span>
            </button>
          )}
        </div>
      ))}
      <div>
        <button type="button" className="button small" onClick={() => onChange([...entries, emptyEntry(next)])}>
          Add a value
        </button>
        {haveOwnNames(entries) ? null : <span role="alert"> Each value needs a name of its own.</span>}
      </div>
    </div>
  );
}

/** Of two values with the same name, one would be lost. */
const haveOwnNames = (entries: readonly Entry[]): boolean =>
  new Set(entries.map(({ key }) => key)).size === entries.length;

const valuesOf = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

function CreateDialog({ env, onClose }: { env: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [entries, setEntries] = useState([emptyEntry(1)]);
  return (
    <ActionDialog
      verb="Create secret"
      pending="Creating"
      object={null}
      command={svcCommand('secret create', name || 'NAME', { env, 'values-stdin': true })}
      isReady={haveOwnNames(entries)}
      action={async () => {
        await svc.secrets.create(env, name, valuesOf(entries));
        return `Created the secret ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p className="soft">Values are encrypted and never shown again, here or elsewhere.</p>
      <Field label="Name" required autoComplete="off" value={name} onChange={setName} />
      <ValueFields entries={entries} onChange={setEntries} />
    </ActionDialog>
  );
}

function RotateDialog({ env, secret, onClose }: { env: string; secret: Secret; onClose: () => void }) {
  const { name, keys } = secret;
  const [entries, setEntries] = useState(keys.map((key, index) => emptyEntry(index + 1, key)));
  return (
    <ActionDialog
      verb="Rotate"
      pending="Rotating"
      object={name}
      command={svcCommand('secret rotate', name, { env, 'values-stdin': true })}
      isReady={haveOwnNames(entries)}
      action={async () => {
        await svc.secrets.rotate(env, name, valuesOf(entries));
        return `Rotated ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p className="soft">The new values replace all of the old ones.</p>
      <ValueFields entries={entries} onChange={setEntries} />
    </ActionDialog>
  );
}

function RevokeDialog({ env, secret: { name }, onClose }: { env: string; secret: Secret; onClose: () => void }) {
  return (
    <ActionDialog
      verb="Revoke"
      pending="Revoking"
      object={name}
      command={svcCommand('secret revoke', name, { env })}
      isDangerous
      action={async () => {
        await svc.secrets.revoke(env, name);
        return `Revoked ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p className="soft">Its values are erased, and what uses it stops working.</p>
    </ActionDialog>
  );
}

const useText = ({ use, index, repository }: Secret): string =>
  index === null ? (repository === null ? (use ?? 'not bound') : `repository ${repository}`) : `index ${index}`;

/** The secrets of an environment: names and uses, never values. */
export function SecretsTab({ env }: { env: string }) {
  const { data, error, refetch } = useQuery(secretsQuery(env));
  const [changed, setChanged] = useState<{ secret: Secret; change: 'rotate' | 'revoke' } | null>(null);
  const [isCreating, setCreating] = useState(false);
  const close = () => setChanged(null);
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  return (
    <>
      <div>
        <button type="button" className="button primary" onClick={() => setCreating(true)}>
          Create secret …
        </button>
      </div>
      <section className="card" aria-label="Secrets">
        {data.length === 0 ? (
          <Empty
            icon="lock"
            title="No secrets yet"
            command={svcCommand('secret create', 'NAME', { env, 'values-stdin': true })}
          >
            A secret has the credentials of a repository, a package index, or the storage.
          </Empty>
        ) : (
          <DataTable columns={['Secret', 'Use', ['Values', 'wide-only'], ['Changed', 'wide-only'], ACTIONS]}>
            {data.map((secret) => (
              <tr key={secret.id}>
                <td>
                  <Name>{secret.name}</Name>
                </td>
                <td>{secret.use === null ? <Badge>not bound</Badge> : <Name>{useText(secret)}</Name>}</td>
                <td className="soft wide-only">
                  <Name>{secret.keys.join(', ')}</Name>
                </td>
                <td className="soft wide-only">
                  <Time at={secret.rotated_at ?? secret.created_at} />
                </td>
                <td className="fit">
                  <span className="row nested">
                    <button
                      type="button"
                      className="button small"
                      onClick={() => setChanged({ secret, change: 'rotate' })}
                    >
                      Rotate<span className="hidden"> {secret.name}</span>
                    </button>
                    <button
                      type="button"
                      className="button small danger"
                      onClick={() => setChanged({ secret, change: 'revoke' })}
                    >
                      Revoke<span className="hidden"> {secret.name}</span>
                    </button>
                  </span>
                </td>
              </tr>
            ))}
          </DataTable>
        )}
      </section>
      {isCreating ? <CreateDialog env={env} onClose={() => setCreating(false)} /> : null}
      {changed?.change === 'rotate' ? <RotateDialog env={env} secret={changed.secret} onClose={close} /> : null}
      {changed?.change === 'revoke' ? <RevokeDialog env={env} secret={changed.secret} onClose={close} /> : null}
    </>
  );
}
