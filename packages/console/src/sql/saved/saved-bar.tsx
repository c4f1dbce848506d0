import { shellLine } from '@svc/core/command-lines';
import type { SavedQuery } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOwnPermission } from '../../access/use-own-permission.ts';
import { Badge } from '../../design/badge.tsx';
import { Command } from '../../design/copy.tsx';
import { Name } from '../../design/name.tsx';
import { ErrorNotice } from '../../design/states.tsx';
import { notify } from '../../design/toasts.tsx';
import { svc } from '../../service/client.ts';
import { sessionQuery } from '../../session/session.ts';
import { svcCommand } from '../../text/commands.ts';
import type { ParameterInputs } from '../parameters.ts';
import { refreshSavedQueries, rememberSavedQuery, savedQueryQuery } from './queries.ts';
import { DeleteDialog, EditDialog, SaveDialog } from './save-dialogs.tsx';
import { changedParametersOf, declarationsOf } from './saved-parameters.ts';

interface SavedBarProps {
  env: string;
  /** The saved query that the editor shows, if it shows one. */
  id: string | undefined;
  sql: string;
  names: readonly string[];
  inputs: ParameterInputs;
  /** Shows a saved query, or none. */
  onChange: (saved: SavedQuery | undefined) => void;
}

/** Reads the statement from the standard input, so that it may have any length. */
const updateCommand = (env: string, { id, sql, p }: { id: string; sql: string; p: readonly string[] }): string =>
  `${shellLine(['printf', '%s', sql])} | ${svcCommand('saved-query update', id, { env, from: '-', p })}`;

function Opened({ env, saved, sql, names, inputs, onChange }: SavedBarProps & { saved: SavedQuery }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const self = useQuery(sessionQuery).data?.principal.name;
  const isOwner = saved.owner === self;
  const canManage = useOwnPermission('MANAGE_ENVIRONMENT', { environment: env })?.allowed === true;
  const canChange = isOwner || (saved.shared && canManage);
  const parameters = changedParametersOf(saved.parameters, names, inputs);
  const isChanged =
    sql !== saved.sql_text || declarationsOf(parameters).join('\n') !== declarationsOf(saved.parameters).join('\n');
  const update = useMutation({
    mutationFn: () => svc.savedQueries.update(env, saved.id, { sql, parameters }),
    onSuccess: (changed) => {
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
              disabled={!isChanged || sql.trim() === '' || update.isPending}
              onClick={() => update.mutate()}
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
      {canChange && isChanged && sql.trim() !== '' ? (
        <Command>{updateCommand(env, { id: saved.id, sql, p: declarationsOf(parameters) })}</Command>
      ) : null}
      {update.error === null ? null : <ErrorNotice error={update.error} />}
      {dialog === 'edit' ? (
        <EditDialog
          env={env}
          {...{ saved, isOwner, names, inputs }}
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

function SaveButton({ env, sql, names, inputs, onChange, label }: Omit<SavedBarProps, 'id'> & { label: string }) {
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
