import { ACTIONS, type Action, appliesWithin, grantsAction, INSTANCE, ROLES, takesRoles } from '@svc/core/access';
import { useId } from 'react';
import { Options } from '../design/options.tsx';
import type { Kind } from './object-fields.tsx';

/** The single actions that a grant on an object of this kind allows. */
const grantableActions = (kind: Kind): Action[] =>
  ACTIONS.filter(
    (action) =>
      appliesWithin(action, kind) && grantsAction({ role: null, action, scope: { ...INSTANCE, kind } }, action),
  );

/** What is chosen on an object of this kind: a role or an action, as the API names it. */
export function rightOf(chosen: string, kind: Kind) {
  const actions = grantableActions(kind);
  const rights: readonly string[] = takesRoles(kind) ? [...ROLES, ...actions] : actions;
  const right = rights.find((each) => each === chosen) ?? (takesRoles(kind) ? 'ANALYST' : actions[0]!);
  const role = ROLES.find((each) => each === right);
  return { right, fields: role === undefined ? { action: right } : { role } };
}

interface RightFieldProps {
  kind: Kind;
  value: string;
  onChange: (value: string) => void;
}

/** A role or a single action. */
export function RightField({ kind, value, onChange }: RightFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Role or action</label>
      <select id={id} className="select" value={value} onChange={(event) => onChange(event.target.value)}>
        <optgroup label="Roles" hidden={!takesRoles(kind)}>
          <Options of={ROLES} />
        </optgroup>
        <optgroup label="Single actions">
          <Options of={grantableActions(kind)} />
        </optgroup>
      </select>
    </div>
  );
}
