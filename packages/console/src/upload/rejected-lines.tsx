import type { Write } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { Command } from '../design/copy.tsx';
import { saveFile } from '../design/save-file.ts';
import { ErrorNotice } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { plural } from '../text/numbers.ts';

async function save(env: string, { id, table }: Write): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of await svc.writes.rejected(env, id)) text += decoder.decode(piece, { stream: true });
  saveFile(`${table}.rejected.csv`, text + decoder.decode(), 'text/csv');
}

/** The lines that a load left out. */
export function RejectedLines({ env, write }: { env: string; write: Write }) {
  const { mutate, error, isPending } = useMutation({ mutationFn: () => save(env, write) });
  return (
    <>
      <div className="row">
        Left out {plural(write.rejected ?? 0, 'line')} that can't be loaded.
        <button type="button" className="button small" disabled={isPending} onClick={() => mutate()}>
          Download the lines
        </button>
      </div>
      <Command>{svcCommand('write rejected', write.id, { env })}</Command>
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  );
}
