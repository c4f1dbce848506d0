import type { Grant } from '@svc/sdk/browser';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { objectTarget, objectText } from '../catalog/object-target.ts';
import { ACTIONS } from '../design/data-table.tsx';
import { FilterChip } from '../design/filter.tsx';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { Empty } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svcCommand } from '../text/commands.ts';
import { utc } from '../text/times.ts';
import { GrantDialog } from './grant-dialog.tsx';
import { choiceOf, kindOf, namesOf, ObjectFields, searchOf } from './object-fields.tsx';
import { grantsQuery } from './queries.ts';
import { granteeText, RevokeDialog } from './revoke-dialog.tsx';
import { daysIn, type TabProps } from './tabs.ts';
import { useOwnPermission } from './use-own-permission.ts';

const COLUMNS = ['To', 'Grants', 'On', ['Created', 'wide-only'], ['Last used', 'wide-only'], ACTIONS] as const;

/** Unless the address has another number. */
const UNUSED_DAYS = '90';

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const target = objectTarget(grant);
  const object = <Name>{objectText(grant)}</Name>;
  const right = grant.role ?? grant.action;
  return (
    <tr>
      <td>
        <Name>{granteeText(grant)}</Name>
      </td>
      <td>
        <span className="mono">{right}</span>
        {grant.expires_at === null ? null : (
          <span className="soft">
            {' '}
            until <Time at={grant.expires_at} />
          </span>
        )}
      </td>
      <td>
        {target === undefined ? (
          object
        ) : (
          <Link {...target} className="link">
            {object}
          </Link>
        )}
      </td>
      <td className="soft wide-only">
        <Time at={grant.created_at} />
      </td>
      <td className="soft wide-only">{grant.last_used_at === null ? 'never' : utc(grant.last_used_at).slice(0, 10)}</td>
      <td className="fit">
        <button type="button" className="button small" onClick={onRevoke}>
          Revoke
          <span className="hidden">
            {' '}
            {right} from {granteeText(grant)}
          </span>
        </button>
      </td>
    </tr>
  );
}

function Filters({ env, search, onChange }: Omit<TabProps, 'self'>) {
  const [choice, setChoice] = useState(choiceOf(search));
  const { kind, principal, group } = search;
  const unusedDays = daysIn(search.unused);
  const [to, setTo] = useState<'principal' | 'group'>('principal');
  const [name, setName] = useState('');
  const filterObject = (event: FormEvent) => {
    event.preventDefault();
    onChange({ ...searchOf(choice), kind: choice.kind });
  };
  const filterGrantee = (event: FormEvent) => {
    event.preventDefault();
    onChange({ principal: undefined, group: undefined, [to]: name.trim() || undefined });
    setName('');
  };
  return (
    <search className="row" aria-label="Filters">
      <form className="row nested" onSubmit={filterGrantee}>
        <select
          className="select"
          aria-label="Kind of grantee"
          value={to}
          onChange={(event) => setTo(event.target.value === 'group' ? 'group' : 'principal')}
        >
          <option value="principal">To principal</option>
          <option value="group">To group</option>
        </select>
        <input
          className="input field-input"
          aria-label="Name of the grantee"
          placeholder="Name, then Enter"
          spellCheck={false}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
      <form className="row" onSubmit={filterObject}>
        <ObjectFields env={env} value={choice} onChange={setChoice} />
        <button type="submit" className="button">
          Only on this object
        </button>
      </form>
      <label className="row nested">
        <input
          type="checkbox"
          checked={unusedDays !== undefined}
          onChange={(event) => onChange({ unused: event.target.checked ? UNUSED_DAYS : undefined })}
        />
        Unused for {unusedDays ?? UNUSED_DAYS} days
      </label>
      {principal === undefined ? null : (
        <FilterChip label="principal" value={principal} onRemove={() => onChange({ principal: undefined })} />
      )}
      {group === undefined ? null : (
        <FilterChip label="group" value={group} onRemove={() => onChange({ group: undefined })} />
      )}
      {kind === undefined ? null : (
        <FilterChip
          label="on"
          value={objectText(namesOf(env, choiceOf(search)) ?? {})}
          onRemove={() => onChange({ kind: undefined, namespace: undefined, table: undefined, account: undefined })}
        />
      )}
    </search>
  );
}

/** The active grants, and the way to grant and revoke. */
export function GrantsTab({ env, search, onChange }: TabProps) {
  const { kind, principal, group, action } = search;
  const object = kind === undefined ? null : namesOf(env, choiceOf(search));
  const query = useInfiniteQuery(grantsQuery({ principal, group, action, unusedDays: daysIn(search.unused) }, object));
  const [revoked, setRevoked] = useState<Grant | null>(null);
  const [isGranting, setGranting] = useState(false);
  const canGrant = useOwnPermission('MANAGE_GRANT', {})?.allowed ?? false;
  return (
    <>
      {canGrant ? (
        <div className="row spread access-bar">
          <Filters env={env} search={search} onChange={onChange} />
          <button type="button" className="button primary" onClick={() => setGranting(true)}>
            Grant …
          </button>
        </div>
      ) : null}
      <section className="card" aria-label="Grants">
        <Listing
          query={query}
          columns={COLUMNS}
          className="grants"
          empty={
            <Empty
              icon="key"
              title="No grants"
              command={svcCommand('grant create', null, {
                kind: kindOf(kind),
                env,
                role: 'ANALYST',
                principal: 'NAME',
              })}
            >
              A grant gives a principal or a group a role or a single action on an object and everything inside it.
            </Empty>
          }
          row={(grant) => <GrantRow key={grant.id} grant={grant} onRevoke={() => setRevoked(grant)} />}
        />
      </section>
      {revoked === null ? null : <RevokeDialog grant={revoked} onClose={() => setRevoked(null)} />}
      {isGranting ? <GrantDialog env={env} initial={choiceOf(search)} onClose={() => setGranting(false)} /> : null}
    </>
  );
}
