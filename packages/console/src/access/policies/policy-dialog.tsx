import type { Table } from '@svc/sdk/browser';
import { useState } from 'react';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { Options } from '../../design/options.tsx';
import { svc } from '../../service/client.ts';
import { visible } from '../../text/visible.ts';
import { NameField } from '../name-field.tsx';
import { refreshAccess } from '../queries.ts';
import { createPolicyCommand, type Policy, type PolicyDraft, type PolicyKind } from './policy.ts';
import { PolicyEffect } from './policy-effect.tsx';

interface PolicyDialogProps {
  env: string;
  table: Table;
  kind: PolicyKind;
  /** The policy that is changed; null for a new one. */
  changed: Policy | null;
  onClose: () => void;
}

const draftOf = ({ kind, changed, table }: PolicyDialogProps): PolicyDraft => ({
  kind,
  to: changed?.group == null ? 'principal' : 'group',
  name: changed?.group ?? changed?.principal ?? '',
  column: changed?.column ?? table.columns[0]?.name ?? '',
  expression: changed?.expression ?? '',
});

/** A change ends the old policy in the same moment, so that no row is visible in between. */
async function save(env: string, table: string, draft: PolicyDraft, changed: Policy | null): Promise<string> {
  const { kind, to, column, expression } = draft;
  const name = draft.name.trim();
  const target = { ...(to === 'group' ? { group: name } : { principal: name }), replaces: changed?.id };
  if (kind === 'filter') await svc.rowFilters.create(env, table, { ...target, predicate: expression.trim() });
  else await svc.columnMasks.create(env, table, { ...target, column, expression: expression.trim() });
  return `${changed === null ? 'Created' : 'Changed'} the ${kind === 'filter' ? 'row filter' : 'column mask'} of ${table}.`;
}

/** Creates a row filter or a column mask, or changes one. */
export function PolicyDialog(props: PolicyDialogProps) {
  const { env, table, kind, changed, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(props));
  const name = `${table.namespace}.${table.name}`;
  const { to, column, expression } = draft;
  return (
    <ActionDialog
      verb={`${changed === null ? 'Create' : 'Change'} ${kind === 'filter' ? 'row filter' : 'column mask'}`}
      pending="Saving"
      object={null}
      command={createPolicyCommand(env, name, draft, changed)}
      isReady={draft.name.trim() !== '' && expression.trim() !== ''}
      action={() => save(env, name, draft, changed)}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <div className="field">
        <span className="label">For</span>
        <div className="row">
          <select
            className="select"
            aria-label="Kind of target"
            value={to}
            onChange={(event) => setDraft({ ...draft, to: event.target.value === 'group' ? 'group' : 'principal' })}
          >
            <option value="principal">Principal</option>
            <option value="group">Group</option>
          </select>
          <NameField
            label={to === 'group' ? 'Group' : 'Principal'}
            value={draft.name}
            onChange={(each) => setDraft({ ...draft, name: each })}
          />
        </div>
      </div>
      {kind === 'filter' ? null : (
        <div className="field">
          <label htmlFor="policy-column">Column</label>
          <select
            id="policy-column"
            className="select"
            value={column}
            onChange={(event) => setDraft({ ...draft, column: event.target.value })}
          >
            <Options of={table.columns.map(({ name: each, type }) => [each, visible(`${each} (${type})`)])} />
          </select>
        </div>
      )}
      <div className="field">
        <label htmlFor="policy-expression">{kind === 'filter' ? 'Rows that stay visible' : 'Shown instead'}</label>
        <textarea
          id="policy-expression"
          className="input mono"
          rows={3}
          required
          spellCheck={false}
          placeholder={kind === 'filter' ? "region = 'EMEA'" : "'hidden'"}
          value={expression}
          onChange={(event) => setDraft({ ...draft, expression: event.target.value })}
        />
        <p className="hint">
          {kind === 'filter'
            ? 'A condition over the columns of the table. With several filters, a row must pass all of them.'
            : 'An expression over the columns of the table, with the type of the column.'}
        </p>
      </div>
      <PolicyEffect key={`${column} ${expression}`} env={env} table={table} draft={draft} />
    </ActionDialog>
  );
}
