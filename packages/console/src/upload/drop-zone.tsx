import { isSentInParts } from '@svc/sdk/browser';
import { useState } from 'react';
import { Command } from '../design/copy.tsx';
import { Name } from '../design/name.tsx';
import { svcCommand } from '../text/commands.ts';
import { bytes } from '../text/numbers.ts';
import './upload.css';

/** Chooses or receives a file. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <label
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <span>
        <strong>Choose a file</strong> or drop it here
      </span>
      <span className="soft">CSV, NDJSON or Parquet, also compressed with gzip or zstd</span>
      <input
        type="file"
        className="hidden"
        accept=".csv,.ndjson,.jsonl,.parquet,.gz,.zst,.zstd"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after it has changed.
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}

/** Large files are verified part by part, which browsers allow on secure addresses only. */
export const needsCommand = (file: File): boolean => isSentInParts(file) && !window.isSecureContext;

/** How to load a file that this page can't send. */
export function CommandInstead({
  env,
  table,
  file,
  create,
}: {
  env: string;
  table: string;
  file: File;
  create: boolean;
}) {
  return (
    <div className="notice warn" role="alert">
      <p>
        <Name>{file.name}</Name> has {bytes(file.size)}. Over plain HTTP, browsers can't verify uploads of more than 64
        MB. Open the console over HTTPS, or load the file with the command line:
      </p>
      <Command>{svcCommand('table load', [table, file.name], { env, create })}</Command>
    </div>
  );
}
