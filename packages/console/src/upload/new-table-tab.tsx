import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { BreakGlassField, useIsProtected } from '../catalog/break-glass.tsx';
import { refreshCatalog } from '../catalog/queries.ts';
import { tableTarget } from '../catalog/table-target.ts';
import { Command } from '../design/copy.tsx';
import { Field } from '../design/fields.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice, Loading } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { plural } from '../text/numbers.ts';
import { CommandInstead, DropZone, needsCommand } from './drop-zone.tsx';
import { type CreatedTable, createFromFile, type InferredFile, inferFile } from './new-table.ts';
import { UploadButtons } from './upload-buttons.tsx';
import { UploadColumns } from './upload-columns.tsx';
import { type DraftColumn, nameError, newTableCommands, tableNameOf } from './upload-file.ts';
import { UploadHeader } from './upload-header.tsx';
import { useUpload } from './use-upload.ts';

interface NewTableTabProps {
  env: string;
  namespace: string;
  /** A file that was dropped anywhere on the page. */
  dropped: File | null;
  onTaken: () => void;
}

/** A new table from a file: the service infers its columns, and the caller edits them. */
export function NewTableTab({ env, namespace, dropped, onTaken }: NewTableTabProps) {
  const [unsent, setUnsent] = useState<File | null>(null);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (chosen: File) => inferFile(env, namespace, chosen),
  });
  const choose = (chosen: File) => {
    reset();
    setUnsent(needsCommand(chosen) ? chosen : null);
    if (!needsCommand(chosen)) mutate(chosen);
  };
  // Only when a file is dropped, not when the form opens or closes.
  useEffect(() => {
    if (dropped === null) return;
    // An open form keeps what was entered.
    if (data === undefined) choose(dropped);
    onTaken();
  }, [dropped]);
  if (data !== undefined) return <Form env={env} namespace={namespace} inferred={data} onBack={reset} />;
  return (
    <div className="stack padded">
      <DropZone onFile={choose} />
      {isPending ? <Loading rows={3} label="Inferring the columns" /> : null}
      {error === null ? null : <ErrorNotice error={error} />}
      {unsent === null ? null : (
        <CommandInstead env={env} table={`${namespace}.${tableNameOf(unsent.name)}`} file={unsent} create />
      )}
    </div>
  );
}

interface FormProps {
  env: string;
  namespace: string;
  inferred: InferredFile;
  onBack: () => void;
}

function Form({ env, namespace, inferred, onBack }: FormProps) {
  const { file } = inferred;
  const navigate = useNavigate();
  const isProtected = useIsProtected(env);
  const [name, setName] = useState(() => tableNameOf(file.name));
  const [columns, setColumns] = useState<readonly DraftColumn[]>(inferred.columns);
  const [reason, setReason] = useState('');
  const [created, setCreated] = useState<CreatedTable | null>(null);
  const table = `${namespace}.${name.trim()}`;
  const breakGlass = isProtected ? reason : undefined;
  const upload = useUpload({
    run: async (following) => {
      const plan = { ...inferred, env, table, columns, breakGlass };
      const rows = await createFromFile(plan, { ...following, earlier: created, onCreated: setCreated });
      notify(`Loaded ${plural(rows, 'row')} into ${table}.`);
    },
    // A table that was created is shown even if its load failed.
    onSettled: () => void refreshCatalog(env),
  });
  const { error, isPending, isStarted } = upload;
  const wrong = nameError(columns);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong === null) upload.start(() => navigate(tableTarget(env, table)));
  };
  return (
    <form className="stack padded" onSubmit={submit}>
      <UploadHeader file={file} disabled={isPending} onBack={onBack} />
      <fieldset className="stack upload-fields" disabled={isPending || isStarted}>
        <legend className="hidden">The new table</legend>
        <Field
          label="Name of the table"
          className="upload-name"
          required
          maxLength={128}
          spellCheck={false}
          value={name}
          onChange={setName}
        />
        <UploadColumns columns={columns} onChange={setColumns} />
        {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
      </fieldset>
      {wrong === null ? null : (
        <p className="notice warn" role="status">
          <Name>{wrong}</Name>
        </p>
      )}
      {error === null ? null : <ErrorNotice error={error} />}
      {error === null || !isStarted ? null : <p className="soft">The load has started. Try again to see its result.</p>}
      {error === null || created === null ? null : (
        <p className="soft">
          The table <Name>{created.table}</Name> exists. Correct the columns or the file, and try again.
        </p>
      )}
      <div className="stack tight">
        {newTableCommands({ env, table, file: file.name }, columns, inferred.columns).map((command) => (
          <div key={command}>
            <Command>{command}</Command>
          </div>
        ))}
      </div>
      <UploadButtons label="Create and load" isReady={wrong === null} onStop={upload.stop} {...upload} />
    </form>
  );
}
