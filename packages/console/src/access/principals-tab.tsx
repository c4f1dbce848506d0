import type { Principal } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { ACTIONS } from '../design/data-table.tsx';
import { Field } from '../design/fields.tsx';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { Options } from '../design/options.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { NameField } from './name-field.tsx';
import { principalsQuery, refreshAccess } from './queries.ts';
import type { TabProps } from './tabs.ts';
import { useOwnPermission } from './use-own-permission.ts';
import { WorkloadsDialog } from './workloads-dialog.tsx';

const TYPES = { person: 'Person', 'service-account': 'Service account' } as const;

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<keyof typeof TYPES>('person');
  const [password, setPassword] = useState('');
  const hasPassword = type === 'person' && password !== '';
  return (
    <ActionDialog
      verb="Create principal"
      pending="Creating"
      object={null}
      command={svcCommand('principal create', name || 'NAME', { type, 'password-stdin': hasPassword })}
      action={async () => {
        await svc.principals.create({ name, type, ...(hasPassword ? { password } : {}) });
        return `Created ${name}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <NameField label="Name" value={name} onChange={setName} />
      <div className="field">
        <label htmlFor="type">Type</label>
        <select
          id="type"
          className="select"
          value={type}
          onChange={(event) => setType(event.target.value === 'person' ? 'person' : 'service-account')}
        >
          <Options of={Object.entries(TYPES)} />
        </select>
      </div>
      {type === 'person' ? (
        <Field
          label="Password (optional)"
          type="password"
          autoComplete="new-password"
          value={password}
          hint="With a password, the person can sign in here. It can be changed after the sign-in."
          onChange={setPassword}
        />
      ) : (
        <p className="soft">
          A service account has no password. Issue a token for it, or let a workload sign in as it.
        </p>
      )}
    </ActionDialog>
  );
}

const CHANGES = {
  activate: { verb: 'Activate', pending: 'Activating', text: 'Its tokens and grants work again.' },
  deactivate: {
    verb: 'Deactivate',
    pending: 'Deactivating',
    text: 'It can no longer sign in, its tokens stop working, and its scheduled runs fail. Its grants stay.',
  },
  delete: {
    verb: 'Delete',
    pending: 'Deleting',
    text: 'Its grants, memberships and tokens are deleted with it. This cannot be undone: deactivate it instead if it may return.',
  },
} as const;
type Change = keyof typeof CHANGES;

function ChangePrincipalDialog(props: { name: string; change: Change; onClose: () => void }) {
  const { name, change, onClose } = props;
  const { verb, pending, text } = CHANGES[change];
  return (
    <ActionDialog
      verb={verb}
      pending={pending}
      object={name}
      command={svcCommand(`principal ${change}`, name, {})}
      isDangerous={change !== 'activate'}
      action={async () => {
        if (change === 'delete') await svc.principals.delete(name);
        else await svc.principals.update(name, { active: change === 'activate' });
        return `${verb}d ${name}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">{text}</p>
    </ActionDialog>
  );
}

interface RowProps {
  env: string;
  principal: Principal;
  self: string;
  onChange: (change: Change) => void;
  /** Shows its workloads; undefined if it can't have any, or the caller can't manage them. */
  onWorkloads: (() => void) | undefined;
}

function PrincipalRow({ env, principal, self, onChange, onWorkloads }: RowProps) {
  const { name, type, active, created_at } = principal;
  return (
    <tr>
      <td>
        <span className="row">
          <Link to="/$env/access" params={{ env }} search={{ principal: name }} className="link">
            <Name>{name}</Name>
          </Link>
          {active ? null : <Badge tone="warn">deactivated</Badge>}
          {name === self ? <Badge tone="info">you</Badge> : null}
        </span>
      </td>
      <td className="soft wide-only">{TYPES[type]}</td>
      <td className="soft wide-only">
        <Time at={created_at} />
      </td>
      <td className="fit">
        {name === self ? null : (
          <span className="row nested">
            {onWorkloads === undefined ? null : (
              <button type="button" className="button small wide-only" onClick={onWorkloads}>
                Workloads<span className="hidden"> of {name}</span>
              </button>
            )}
            <button type="button" className="button small" onClick={() => onChange(active ? 'deactivate' : 'activate')}>
              {active ? 'Deactivate' : 'Activate'}
              <span className="hidden"> {name}</span>
            </button>
            <button type="button" className="button small danger" onClick={() => onChange('delete')}>
              Delete<span className="hidden"> {name}</span>
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}

/** The people and service accounts. */
export function PrincipalsTab({ env, search, self, onChange }: TabProps) {
  const { q } = search;
  const query = useInfiniteQuery(principalsQuery(q));
  const [isCreating, setCreating] = useState(false);
  const [changed, setChanged] = useState<{ name: string; change: Change } | null>(null);
  const [workloadsOf, setWorkloadsOf] = useState<string | null>(null);
  const canManage = useOwnPermission('MANAGE_PRINCIPAL', {})?.allowed ?? false;
  const canIssue = useOwnPermission('MANAGE_TOKEN', {})?.allowed ?? false;
  return (
    <>
      {canManage ? (
        <div className="row spread">
          <SearchBox
            label="Search principals"
            value={q ?? ''}
            onChange={(text) => onChange({ q: text || undefined })}
          />
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            Create principal …
          </button>
        </div>
      ) : null}
      <section className="card" aria-label="Principals">
        <Listing
          query={query}
          columns={['Principal', ['Type', 'wide-only'], ['Created', 'wide-only'], ACTIONS]}
          empty={<Empty icon="user" title="No principal matches" />}
          row={(principal) => (
            <PrincipalRow
              key={principal.id}
              env={env}
              principal={principal}
              self={self}
              onChange={(change) => setChanged({ name: principal.name, change })}
              onWorkloads={
                canIssue && principal.type === 'service-account' ? () => setWorkloadsOf(principal.name) : undefined
              }
            />
          )}
        />
      </section>
      {isCreating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
      {workloadsOf === null ? null : (
        <WorkloadsDialog env={env} principal={workloadsOf} onClose={() => setWorkloadsOf(null)} />
      )}
      {changed === null ? null : <ChangePrincipalDialog {...changed} onClose={() => setChanged(null)} />}
    </>
  );
}
