import type { SavedQuery } from '@svc/sdk/browser';
import { useId, useState } from 'react';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { Field } from '../../design/fields.tsx';
import { Name } from '../../design/name.tsx';
import { svc } from '../../service/client.ts';
import { svcCommand } from '../../text/commands.ts';
import { keyOf, type ParameterInputs } from '../parameters.ts';
import { refreshSavedQueries, rememberSavedQuery } from './queries.ts';
import { declarationsOf, savedParametersOf } from './saved-parameters.ts';

interface Details {
  readonly name: string;
  readonly description: string;
  readonly shared: boolean;
}

interface DetailFieldsProps {
  value: Details;
  /** Only owners name their queries. */
  canRename: boolean;
  onChange: (value: Details) => void;
}

function DetailFields({ value, canRename, onChange }: DetailFieldsProps) {
  const id = useId();
  return (
    <>
      {canRename ? (
        <Field
          label="Name"
          required
          autoComplete="off"
          value={value.name}
          onChange={(text) => onChange({ ...value, name: text })}
        />
      ) : null}
      <div className="field">
        <label htmlFor={`${id}-description`}>Description</label>
        <textarea
          id={`${id}-description`}
          className="input"
          rows={3}
          value={value.description}
          onChange={(event) => onChange({ ...value, description: event.target.value })}
        />
      </div>
      <label className="row">
        <input
          type="checkbox"
          checked={value.shared}
          onChange={(event) => onChange({ ...value, shared: event.target.checked })}
        />
        Share with everyone with SUBMIT_QUERY in this environment
      </label>
      <p className="soft">
        {value.shared
          ? 'They see the statement and the defaults. What a run reads depends on who runs it.'
          : "Only you see a private query. Administrators don't see it either."}
      </p>
    </>
  );
}

interface SaveDialogProps {
  env: string;
  sql: string;
  names: readonly string[];
  inputs: ParameterInputs;
  onSaved: (saved: SavedQuery) => void;
  onClose: () => void;
}

/** Saves a statement under a new name. */
export function SaveDialog({ env, sql, names, inputs, onSaved, onClose }: SaveDialogProps) {
  const [details, setDetails] = useState<Details>({ name: '', description: '', shared: false });
  const [withValues, setWithValues] = useState(true);
  const { name, description, shared } = details;
  const parameters = savedParametersOf(names, inputs, { withValues });
  return (
    <ActionDialog
      verb="Save query"
      pending="Saving"
      object={null}
      command={svcCommand('saved-query create', [name || 'NAME', sql], {
        env,
        p: declarationsOf(parameters),
        description: description || undefined,
        shared,
      })}
      action={async () => {
        const saved = await svc.savedQueries.create(env, name, sql, {
          parameters,
          description: description === '' ? null : description,
          shared,
        });
        rememberSavedQuery(env, saved);
        onSaved(saved);
        return `Saved the query ${saved.name}.`;
      }}
      onDone={() => refreshSavedQueries(env)}
      onClose={onClose}
    >
      <DetailFields value={details} canRename onChange={setDetails} />
      {names.length === 0 ? null : (
        <label className="row">
          <input type="checkbox" checked={withValues} onChange={(event) => setWithValues(event.target.checked)} />
          Save the values of the parameters as defaults
        </label>
      )}
    </ActionDialog>
  );
}

interface EditDialogProps {
  env: string;
  saved: SavedQuery;
  isOwner: boolean;
  names: readonly string[];
  inputs: ParameterInputs;
  /** After the query has become invisible to the caller, who isn't its owner. */
  onHidden: () => void;
  onClose: () => void;
}

const isSame = (one: { name: string; type: string }, other: { name: string; type: string }): boolean =>
  keyOf(one.name) === keyOf(other.name) && one.type === other.type;

/** Changes the name and description of a saved query, and whether it is shared. */
export function EditDialog({ env, saved, isOwner, names, inputs, onHidden, onClose }: EditDialogProps) {
  const before: Details = { name: saved.name, description: saved.description ?? '', shared: saved.shared };
  const [details, setDetails] = useState(before);
  const [withValues, setWithValues] = useState(false);
  const { name, description, shared } = details;
  // Those that the statement no longer has are removed with the statement.
  const entered = savedParametersOf(names, inputs, { withValues: true });
  const parameters = saved.parameters.map((each) => entered.find((one) => isSame(one, each)) ?? each);
  const changes = {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description: description === '' ? null : description }),
    ...(shared === before.shared ? {} : { shared }),
    ...(withValues ? { parameters } : {}),
  };
  return (
    <ActionDialog
      verb="Edit"
      pending="Saving"
      object={saved.name}
      command={svcCommand('saved-query update', saved.id, {
        env,
        name: changes.name,
        description: changes.description === undefined ? undefined : description,
        shared: changes.shared === true,
        'no-shared': changes.shared === false,
        p: withValues ? declarationsOf(parameters) : undefined,
      })}
      isReady={Object.keys(changes).length > 0}
      action={async () => {
        const changed = await svc.savedQueries.update(env, saved.id, changes);
        if (isOwner || changed.shared) rememberSavedQuery(env, changed);
        else onHidden();
        return `Updated the saved query ${changed.name}.`;
      }}
      onDone={() => refreshSavedQueries(env)}
      onClose={onClose}
    >
      {isOwner ? null : (
        <p className="soft">
          The query belongs to <Name>{saved.owner}</Name>, who alone can rename it.
          {shared ? '' : ' Once it is private, you no longer see it.'}
        </p>
      )}
      <DetailFields value={details} canRename={isOwner} onChange={setDetails} />
      {saved.parameters.length === 0 ? null : (
        <label className="row">
          <input type="checkbox" checked={withValues} onChange={(event) => setWithValues(event.target.checked)} />
          Replace the defaults with the values of the fields
        </label>
      )}
    </ActionDialog>
  );
}

interface DeleteDialogProps {
  env: string;
  saved: SavedQuery;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteDialog({ env, saved, onDeleted, onClose }: DeleteDialogProps) {
  return (
    <ActionDialog
      verb="Delete"
      pending="Deleting"
      object={saved.name}
      command={svcCommand('saved-query delete', saved.id, { env })}
      isDangerous
      action={async () => {
        await svc.savedQueries.delete(env, saved.id);
        onDeleted();
        return `Deleted the saved query ${saved.name}.`;
      }}
      onDone={() => refreshSavedQueries(env)}
      onClose={onClose}
    >
      <p className="soft">
        {saved.shared ? 'It is deleted for everyone who uses it. ' : ''}The statement stays in the editor.
      </p>
    </ActionDialog>
  );
}
