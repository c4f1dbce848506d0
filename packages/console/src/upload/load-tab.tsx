import type { LoadFormat, Table, Write } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { BreakGlassField, useIsProtected } from '../catalog/break-glass.tsx';
import { refreshCatalog } from '../catalog/queries.ts';
import { tableTarget } from '../catalog/table-target.ts';
import { Command } from '../design/copy.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { plural } from '../text/numbers.ts';
import { CommandInstead, DropZone, needsCommand } from './drop-zone.tsx';
import { LoadFields } from './load-fields.tsx';
import { RejectedLines } from './rejected-lines.tsx';
import { loadFile } from './send-file.ts';
import { UploadButtons } from './upload-buttons.tsx';
import { formatOf, type LoadChoice, loadCommand } from './upload-file.ts';
import { UploadHeader } from './upload-header.tsx';
import { useUpload } from './use-upload.ts';

interface TabProps {
  env: string;
  table: Table;
}

interface Chosen {
  readonly file: File;
  readonly format: LoadFormat;
}

/** Loads a file into a table. */
export function LoadTab({ env, table }: TabProps) {
  const name = `${table.namespace}.${table.name}`;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [unsent, setUnsent] = useState<File | null>(null);
  const [loaded, setLoaded] = useState<Write | null>(null);
  const choose = (file: File) => {
    setUnsent(needsCommand(file) ? file : null);
    setLoaded(null);
    setError(null);
    try {
      const format = formatOf(file);
      if (!needsCommand(file)) setChosen({ file, format });
    } catch (thrown) {
      setError(thrown);
    }
  };
  const done = (write: Write) => {
    setChosen(null);
    setLoaded(write);
  };
  if (chosen !== null) return <Form env={env} table={table} {...chosen} onBack={() => setChosen(null)} onDone={done} />;
  return (
    <div className="stack padded">
      {loaded === null ? null : <Result env={env} table={name} write={loaded} />}
      <DropZone onFile={choose} />
      {error === null ? null : <ErrorNotice error={error} />}
      {unsent === null ? null : <CommandInstead env={env} table={name} file={unsent} create={false} />}
    </div>
  );
}

function Result({ env, table, write }: { env: string; table: string; write: Write }) {
  return (
    <div className="notice" role="status">
      <p>
        Loaded {plural(write.rows ?? 0, 'row')} ({write.mode}).{' '}
        <Link {...tableTarget(env, table)} search={{ tab: 'preview' }} className="link">
          See the rows
        </Link>
      </p>
      {(write.rejected ?? 0) > 0 ? <RejectedLines env={env} write={write} /> : null}
    </div>
  );
}

interface FormProps extends TabProps, Chosen {
  onBack: () => void;
  onDone: (write: Write) => void;
}

function Form({ env, table, file, format, onBack, onDone }: FormProps) {
  const name = `${table.namespace}.${table.name}`;
  const isProtected = useIsProtected(env);
  const [choice, setChoice] = useState<LoadChoice>({ mode: 'append', key: [], skips: false });
  const [reason, setReason] = useState('');
  const upload = useUpload({
    run: async (following) => {
      const { mode, key, skips } = choice;
      const breakGlass = isProtected ? reason : undefined;
      const csv = format === 'csv' ? { detect: true } : undefined;
      const merge = mode === 'merge' && key.length > 0 ? { key: [...key] } : {};
      const skip = skips ? ({ onError: 'skip' } as const) : {};
      const load = { env, table: name, file, format, csv, mode, ...merge, ...skip, breakGlass };
      const write = await loadFile(load, following);
      notify(`Loaded ${plural(write.rows ?? 0, 'row')} into ${name}.`);
      return write;
    },
    onSettled: () => void refreshCatalog(env),
  });
  const { error, isPending, isStarted } = upload;
  const isReady = choice.mode !== 'merge' || choice.key.length > 0 || table.identifier_fields.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) upload.start(onDone);
  };
  return (
    <form className="stack padded" onSubmit={submit}>
      <UploadHeader file={file} disabled={isPending} onBack={onBack} />
      <fieldset className="stack upload-fields" disabled={isPending || isStarted}>
        <legend className="hidden">How the file is loaded</legend>
        <LoadFields table={table} format={format} value={choice} onChange={setChoice} />
        {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
      </fieldset>
      {error === null ? null : <ErrorNotice error={error} />}
      {error === null || !isStarted ? null : <p className="soft">The load has started. Try again to see its result.</p>}
      <Command>{loadCommand({ env, table: name, file: file.name }, choice)}</Command>
      <UploadButtons label="Load" isReady={isReady} onStop={upload.stop} {...upload} />
    </form>
  );
}
