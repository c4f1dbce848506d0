import type { SavedQuery } from '@svc/sdk/browser';
import { useState } from 'react';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { svc } from '../../service/client.ts';
import { svcCommand } from '../../text/commands.ts';
import type { ParameterInputs } from '../parameters.ts';
import { DetailFields, type Details } from './detail-fields.tsx';
import { refreshSavedQueries, rememberSavedQuery } from './queries.ts';
import { declarationsOf, savedParametersOf } from './saved-parameters.ts';

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
