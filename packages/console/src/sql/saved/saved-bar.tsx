import { shellLine } from '@svc/core/command-lines';
import type { SavedQuery } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOwnPermission } from '../../access/use-own-permission.ts';
import { Badge } from '../../design/badge.tsx';
import { Command } from '../../design/copy.tsx';
import { Name } from '../../design/name.tsx';
import { ErrorNotice } from '../../design/states.tsx';
import { notify } from '../../design/toasts.tsx';
import { svc } from '../../service/client.ts';
import { isConflict } from '../../service/refusals.ts';
import { sessionQuery } from '../../session/session.ts';
import { svcCommand } from '../../text/commands.ts';
import type { ParameterInputs } from '../parameters.ts';
import { EditDialog } from './edit-dialog.tsx';
import { refreshSavedQueries, refreshSavedQuery, rememberSavedQuery, savedQueryQuery } from './queries.ts';
import { DeleteDialog, SaveDialog } from './save-dialogs.tsx';
import { SavedConflict } from './saved-conflict.tsx';
import { changedParametersOf, declarationsOf, savedInputsOf } from './saved-parameters.ts';

interface SavedBarProps {
  env: string;
  /** The saved query that the editor shows, if it shows one. */
  id: string | undefined;
  /** The version of it that the text comes from; null if it isn't known. */
  savedVersion: number | null;
  sql: string;
  names: readonly string[];
  inputs: ParameterInputs;
  /** Shows a saved query, or none. */
  onChange: (saved: SavedQuery | undefined) => void;
  /** Changes the text in the editor, or the version that it comes from. */
  onEdit: (changed: { sql?: string; inputs?: ParameterInputs; savedVersion?: number }) => void;
}

/** Reads the statement from the standard input, so that it may have any length. */
const updateCommand = (
  env: string,
  { id, version, sql, p }: { id: string; version: number; sql: string; p: readonly string[] },
): string =>
  `${shellLine(['printf', '%s', sql])} | ${svcCommand('saved-query update', id, { env, version: String(version), from: '-', p })}`;

/**
 * The version that the text in the editor comes from. The query may be loaded again with a text that isn't in the editor: then
 * the version stays, so that saving can't replace a text that its writer hasn't seen.
 */
function useBaseVersion({ savedVersion, onEdit }: SavedBarProps, saved: SavedQuery, isChanged: boolean): number {
  const version = savedVersion === null || !isChanged ? saved.version : savedVersion;
  useEffect(() => {
    if (version !== savedVersion) onEdit({ savedVersion: version });
  });
  return version;
}

function Opened(props: SavedBarProps & { saved: SavedQuery }) {
  const { env, saved, sql, names, inputs, onChange, onEdit } = props;
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const self = useQuery(sessionQuery).data?.principal.name;
  const isOwner = saved.owner === self;
  const canManage = useOwnPermission('MANAGE_ENVIRONMENT', { environment: env })?.allowed === true;
  const canChange = isOwner || (saved.shared && canManage);
  const parameters = changedParametersOf(saved.parameters, names, inputs);
  const isChanged =
    sql !== saved.sql_text || declarationsOf(parameters).join('\n') !== declarationsOf(saved.parameters).join('\n');
  const version = useBaseVersion(props, saved, isChanged);
  const isOutdated = canChange && version !== saved.version;
  const update = useMutation({
    mutationFn: (known: number) => svc.savedQueries.update(env, saved.id, { sql, parameters, version: known }),
    // The text of someone else is shown beside the one in the editor.
    onError: (error) => (isConflict(error) ? refreshSavedQuery(env, saved.id) : undefined),
    onSuccess: (changed) => {
      onEdit({ savedVersion: changed.version });
      rememberSavedQuery(env, changed);
      notify(`Updated the saved query ${changed.name}.`);
      return refreshSavedQueries(env);
    },
  });
  return (
    <>
      <div className="row saved-name">
        <strong>
          <Name>{saved.name}</Name>
        </strong>
        <Badge tone={saved.shared ? 'info' : 'plain'}>{saved.shared ? 'shared' : 'private'}</Badge>
        {isOwner ? null : (
          <span className="soft">
            of <Name>{saved.owner}</Name>
          </span>
        )}
        {isChanged ? <Badge tone="warn">changed</Badge> : null}
        {saved.description === null ? null : (
          <span className="soft statement">
            <Name>{saved.description}</Name>
          </span>
        )}
      </div>
      <div className="row">
        {canChange ? (
          <>
            <button
              type="button"
              className="button small"
              disabled={!isChanged || isOutdated || sql.trim() === '' || update.isPending}
              onClick={() => update.mutate(version)}
            >
              Save changes
            </button>
            <button type="button" className="button small" onClick={() => setDialog('edit')}>
              Edit …
            </button>
            <button type="button" className="button small danger" onClick={() => setDialog('delete')}>
              Delete …
            </button>
          </>
        ) : null}
        <SaveButton {...{ env, sql, names, inputs, onChange }} label="Save as …" />
      </div>
      {isOutdated ? (
        <SavedConflict
          saved={saved}
          canSave={sql.trim() !== '' && !update.isPending}
          onChooseMine={() => update.mutate(saved.version)}
          onChooseTheirs={() =>
            onEdit({ sql: saved.sql_text, inputs: savedInputsOf(saved.parameters), savedVersion: saved.version })
          }
        />
      ) : null}
      {canChange && !isOutdated && isChanged && sql.trim() !== '' ? (
        <Command>{updateCommand(env, { id: saved.id, version, sql, p: declarationsOf(parameters) })}</Command>
      ) : null}
      {update.error === null || isConflict(update.error) ? null : <ErrorNotice error={update.error} />}
      {dialog === 'edit' ? (
        <EditDialog
          env={env}
          {...{ saved, isOwner, names, inputs }}
          onEdited={(before, after) => {
            if (before === version) onEdit({ savedVersion: after });
          }}
          onHidden={() => onChange(undefined)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog env={env} saved={saved} onDeleted={() => onChange(undefined)} onClose={() => setDialog(null)} />
      ) : null}
    </>
  );
}

function SaveButton({
  env,
  sql,
  names,
  inputs,
  onChange,
  label,
}: Omit<SavedBarProps, 'id' | 'savedVersion' | 'onEdit'> & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small" disabled={sql.trim() === ''} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? (
        <SaveDialog {...{ env, sql, names, inputs }} onSaved={onChange} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** What is saved of the statement in the editor, and the actions on it. */
export function SavedBar(props: SavedBarProps) {
  const { env, id } = props;
  const { data: saved, error } = useQuery({ ...savedQueryQuery(env, id ?? ''), enabled: id !== undefined });
  if (id !== undefined && saved !== undefined)
    return (
      <section className="row spread saved-bar" aria-label="Saved query">
        <Opened key={id} {...props} saved={saved} />
      </section>
    );
  return (
    <section className="row spread saved-bar" aria-label="Saved query">
      {error === null ? <span className="soft">Not saved under a name</span> : <ErrorNotice error={error} />}
      <SaveButton {...props} label="Save …" />
    </section>
  );
}
