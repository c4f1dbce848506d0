import { type Action, ROLES } from '@svc/core/access';
import type { ScopeOptions } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { objectText } from '../catalog/object-target.ts';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';
import { localInputTime } from '../text/times.ts';
import { ExpiryField } from './expiry-field.tsx';
import { gainedActions } from './grant-effect.ts';
import { NameField } from './name-field.tsx';
import { namesOf, type ObjectChoice, ObjectFields } from './object-fields.tsx';
import { membersQuery, permissionsQuery, refreshAccess } from './queries.ts';
import { RightField, rightOf } from './right-field.tsx';

interface EffectProps {
  to: 'principal' | 'group';
  name: string;
  right: string;
  object: ScopeOptions;
}

/** What the grant adds: for a principal its new actions on the object, for a group its members. */
function Effect({ to, name, right, object }: EffectProps) {
  const role = ROLES.find((each) => each === right);
  const permissions = useQuery({ ...permissionsQuery(name, object), enabled: to === 'principal' });
  const members = useQuery({ ...membersQuery(name), enabled: to === 'group' });
  const error = permissions.error ?? members.error;
  if (error !== null) return <ErrorNotice error={error} />;
  if (members.data !== undefined)
    return (
      <p className="notice">
        <span>
          It applies to the {plural(members.data.length, 'member')} of the group, and to everyone who joins it later.
        </span>
      </p>
    );
  if (permissions.data === undefined) return null;
  const gained = gainedActions(permissions.data, role === undefined ? { action: right as Action } : { role }, object);
  return (
    <p className="notice">
      <span>
        {gained.length === 0 ? (
          <>
            <Name>{name}</Name> gains nothing on this object itself; what is inside it may differ.
          </>
        ) : (
          <>
            <Name>{name}</Name> gains on <Name>{objectText(object)}</Name>: {gained.join(', ')}
          </>
        )}
      </span>
    </p>
  );
}

/** Grants a role or a single action on an object. */
export function GrantDialog({ env, initial, onClose }: { env: string; initial: ObjectChoice; onClose: () => void }) {
  const [to, setTo] = useState<'principal' | 'group'>('principal');
  const [name, setName] = useState('');
  const [choice, setChoice] = useState(initial);
  const [until, setUntil] = useState('');
  const [chosen, setRight] = useState<string>('ANALYST');
  const { right, fields: granted } = rightOf(chosen, choice.kind);
  const object = namesOf(env, choice);
  // The effect is looked up when typing pauses, so that a request isn't sent for every letter.
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(name.trim()), 400);
    return () => clearTimeout(timer);
  }, [name]);
  const grantee = to === 'principal' ? { principal: name.trim() } : { group: name.trim() };
  return (
    <ActionDialog
      verb="Grant"
      pending="Granting"
      object={null}
      command={svcCommand('grant create', null, {
        kind: choice.kind,
        [to]: name.trim() || 'NAME',
        ...granted,
        env: object?.environment,
        ns: object?.namespace,
        table: object?.table,
        'service-account': object?.service_account,
        'expires-at': localInputTime(until),
      })}
      isReady={object !== null && name.trim() !== ''}
      action={async () => {
        await svc.grants.create({
          kind: choice.kind,
          ...grantee,
          ...granted,
          ...object,
          expires_at: localInputTime(until),
        } as never);
        return `Granted ${right} to ${name}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <div className="field">
        <span className="label">To</span>
        <div className="row">
          <select
            className="select"
            aria-label="Kind of grantee"
            value={to}
            onChange={(event) => setTo(event.target.value === 'group' ? 'group' : 'principal')}
          >
            <option value="principal">Principal</option>
            <option value="group">Group</option>
          </select>
          <NameField label={to === 'group' ? 'Group' : 'Principal'} value={name} onChange={setName} />
        </div>
      </div>
      <RightField kind={choice.kind} value={right} onChange={setRight} />
      <div className="field">
        <span className="label">On</span>
        <div className="row">
          <ObjectFields env={env} value={choice} onChange={setChoice} />
        </div>
      </div>
      <ExpiryField value={until} onChange={setUntil} />
      {object === null || settled === '' || settled !== name.trim() ? null : (
        <Effect to={to} name={settled} right={right} object={object} />
      )}
    </ActionDialog>
  );
}
