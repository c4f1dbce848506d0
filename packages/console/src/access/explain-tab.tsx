import { grantCommand } from '@svc/core/access';
import type { Permissions, ScopeOptions } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { objectText } from '../catalog/object-target.ts';
import { Badge } from '../design/badge.tsx';
import { Command } from '../design/copy.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { instantIn } from '../text/periods.ts';
import { localInput, localInputTime, utc } from '../text/times.ts';
import { Chain } from './chain.tsx';
import { chainSteps } from './chain-steps.ts';
import { NameField } from './name-field.tsx';
import { ActionField, actionOf, choiceOf, namesOf, ObjectFields, searchOf } from './object-fields.tsx';
import { permissionsQuery } from './queries.ts';
import type { TabProps } from './tabs.ts';
import { useOwnPermission } from './use-own-permission.ts';

type Permission = Permissions['permissions'][number];

function Verdict({ permissions, permission }: { permissions: Permissions; permission: Permission }) {
  const { principal, scope } = permissions;
  const { action, allowed, via, reason } = permission;
  const verb = permissions.at === undefined ? (allowed ? 'has' : "doesn't have") : allowed ? 'had' : "didn't have";
  return (
    <section className="card padded stack" aria-label="Verdict">
      <h2>
        <Name>{principal}</Name> {verb} {action} on <Name>{objectText(scope)}</Name>
        {permissions.at === undefined ? null : ` at ${utc(permissions.at)}`}
      </h2>
      {via.map((each) => (
        <Chain key={each.grant_id} steps={chainSteps(principal, each, action, scope)} />
      ))}
      {reason === null ? null : (
        <p className="soft">
          <Name>{reason}</Name>
        </p>
      )}
      {allowed || permissions.at !== undefined ? null : (
        <div>
          <Command>{grantCommand(principal, action, scope)}</Command>
        </div>
      )}
    </section>
  );
}

function Row({ permissions, permission }: { permissions: Permissions; permission: Permission }) {
  const { action, allowed, via, reason } = permission;
  return (
    <tr>
      <td className="mono fit">{action}</td>
      <td className="fit">{allowed ? <Badge tone="good">allowed</Badge> : <Badge>denied</Badge>}</td>
      <td className="wide-only">
        {via.map((each) => (
          <Chain key={each.grant_id} steps={chainSteps(permissions.principal, each, action).slice(1)} />
        ))}
        {reason === null ? null : (
          <span className="soft">
            <Name>{reason}</Name>
          </span>
        )}
      </td>
    </tr>
  );
}

interface ExplanationProps {
  principal: string;
  object: ScopeOptions;
  action: string;
}

function Explanation({ principal, object, action }: ExplanationProps) {
  const { data, error, refetch } = useQuery(permissionsQuery(principal, object));
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  const permission = data.permissions.find((each) => each.action === action);
  return (
    <>
      {data.note === null ? null : (
        <p className="notice warn">
          <Name>{data.note}</Name>
        </p>
      )}
      {permission === undefined ? null : <Verdict permissions={data} permission={permission} />}
      <section className="card" aria-label="All actions">
        <DataTable columns={['Action', 'Verdict', ['Why', 'wide-only']]} className="chains">
          {data.permissions.map((each) => (
            <Row key={each.action} permissions={data} permission={each} />
          ))}
        </DataTable>
      </section>
    </>
  );
}

/** Whether a principal can perform an action on an object, and why. */
export function ExplainTab({ env, search, self, onChange }: TabProps) {
  const [name, setName] = useState(search.principal ?? self);
  const [choice, setChoice] = useState(choiceOf(search));
  const [action, setAction] = useState(search.action);
  const [at, setAt] = useState(localInput(instantIn(search.at)));
  const seesOthers = useOwnPermission('MANAGE_GRANT', {})?.allowed ?? false;
  const chosen = actionOf(choice.kind, action);
  const shown = choiceOf(search);
  const object = namesOf(env, shown);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const principal = name.trim() === self ? undefined : name.trim();
    onChange({ ...searchOf(choice), action: chosen, principal, at: localInputTime(at) });
  };
  return (
    <>
      <form className="row" onSubmit={submit} aria-label="Question">
        <span className="soft">Does</span>
        {seesOthers ? <NameField value={name} onChange={setName} /> : <Name>{self}</Name>}
        <span className="soft">have</span>
        <ActionField kind={choice.kind} value={chosen} onChange={setAction} />
        <span className="soft">on</span>
        <ObjectFields env={env} value={choice} onChange={setChoice} />
        <span className="soft">at</span>
        <input
          type="datetime-local"
          className="input field-input"
          aria-label="Time in the past (default: now)"
          value={at}
          onChange={(event) => setAt(event.target.value)}
        />
        <button type="submit" className="button">
          Explain
        </button>
      </form>
      {object === null ? (
        <div className="card">
          <Empty icon="key" title="Which object?">
            Enter the names of the object.
          </Empty>
        </div>
      ) : (
        <Explanation
          principal={search.principal ?? self}
          object={{ ...object, at: instantIn(search.at)?.toISOString() }}
          action={actionOf(shown.kind, search.action)}
        />
      )}
    </>
  );
}
