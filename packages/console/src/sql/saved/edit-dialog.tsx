import type { SavedQuery } from '@svc/sdk/browser';
import { useState } from 'react';
import { ActionDialog } from '../../design/action-dialog.tsx';
import { Name } from '../../design/name.tsx';
import { svc } from '../../service/client.ts';
import { isConflict } from '../../service/refusals.ts';
import { svcCommand } from '../../text/commands.ts';
import { keyOf, type ParameterInputs } from '../parameters.ts';
import { DetailFields, type Details } from './detail-fields.tsx';
import { refreshSavedQueries, rememberSavedQuery } from './queries.ts';
import { declarationsOf, savedParametersOf } from './saved-parameters.ts';

interface EditDialogProps {
  env: string;
  saved: SavedQuery;
  isOwner: boolean;
  names: readonly string[];
  inputs: ParameterInputs;
  /** After the details of one version have become those of the next. */
  onEdited: (before: number, after: number) => void;
  /** After the query has become invisible to the caller, who isn't its owner. */
  onHidden: () => void;
  onClose: () => void;
}

const CHANGED =
  'The query has changed since you opened this dialog, and nothing was saved. The fields that you left alone now show its new values. ' +
  'Check them, and press Edit again to save your changes.';

const detailsOf = ({ name, description, shared }: SavedQuery): Details => ({
  ...{ name, shared },
  description: description ?? '',
});

/** The fields that the writer has changed stay; the others become those of the changed query. */
const mergedDetails = (before: Details, mine: Details, theirs: Details): Details => ({
  name: mine.name === before.name ? theirs.name : mine.name,
  description: mine.description === before.description ? theirs.description : mine.description,
  shared: mine.shared === before.shared ? theirs.shared : mine.shared,
});

const isSame = (one: { name: string; type: string }, other: { name: string; type: string }): boolean =>
  keyOf(one.name) === keyOf(other.name) && one.type === other.type;

/** Changes the name and description of a saved query, and whether it is shared. */
export function EditDialog({ env, saved, isOwner, names, inputs, onEdited, onHidden, onClose }: EditDialogProps) {
  // What the fields show changes only with the writer's knowledge, not when the query is loaded again.
  const [opened, setOpened] = useState(saved);
  const before = detailsOf(opened);
  const [details, setDetails] = useState(before);
  const [withValues, setWithValues] = useState(false);
  const { name, description, shared } = details;
  // Those that the statement no longer has are removed with the statement.
  const entered = savedParametersOf(names, inputs, { withValues: true });
  const parameters = opened.parameters.map((each) => entered.find((one) => isSame(one, each)) ?? each);
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
        version: String(opened.version),
        name: changes.name,
        description: changes.description === undefined ? undefined : description,
        shared: changes.shared === true,
        'no-shared': changes.shared === false,
        p: withValues ? declarationsOf(parameters) : undefined,
      })}
      isReady={Object.keys(changes).length > 0}
      action={async () => {
        const changed = await svc.savedQueries
          .update(env, saved.id, { ...changes, version: opened.version })
          .catch(async (error: unknown) => {
            if (!isConflict(error)) throw error;
            const theirs = await svc.savedQueries.get(env, saved.id);
            rememberSavedQuery(env, theirs);
            setOpened(theirs);
            setDetails(mergedDetails(before, details, detailsOf(theirs)));
            throw new Error(CHANGED);
          });
        onEdited(opened.version, changed.version);
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
