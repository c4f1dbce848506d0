import type { AnswerOf } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count, plural } from '../text/numbers.ts';
import { orphanedQuery, refreshSettings } from './queries.ts';

type Orphaned = AnswerOf<'environments.listOrphaned'>[number];

/** Removes one folder; the service removes a part at a time. */
async function removeFolder(env: string, location: string): Promise<number> {
  for (let files = 0; ; ) {
    const step = await svc.environments.removeOrphaned(env, { location });
    files += step.files;
    if (!step.more || step.files === 0) return files;
  }
}

function RemoveDialog({ env, folder, onClose }: { env: string; folder: Orphaned; onClose: () => void }) {
  const { location, files, bytes: size } = folder;
  return (
    <ActionDialog
      verb="Remove"
      pending="Removing"
      object="orphaned folder"
      command={svcCommand('env orphaned-locations', env, { remove: true, location })}
      isDangerous
      action={async () => `Removed ${plural(await removeFolder(env, location), 'file')}.`}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p>
        <Name>{location}</Name>
      </p>
      <p className="soft">
        {plural(files, 'file')} with {bytes(size)} are deleted from storage. This cannot be undone.
      </p>
    </ActionDialog>
  );
}

/** Folders in storage that belong to no table. */
export function StorageTab({ env }: { env: string }) {
  const { data, error, refetch } = useQuery(orphanedQuery(env));
  const [removed, setRemoved] = useState<Orphaned | null>(null);
  return (
    <section className="card" aria-label="Orphaned locations">
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : data.length === 0 ? (
        <Empty icon="check" title="No orphaned locations">
          Every folder of tables in storage belongs to a table. Folders younger than a day are not listed.
        </Empty>
      ) : (
        <DataTable
          columns={['Location', ['Files', 'end wide-only'], ['Size', 'end'], ['Changed', 'wide-only'], ACTIONS]}
        >
          {data.map((folder) => (
            <tr key={folder.location}>
              <td className="mono">
                <Name>{folder.location}</Name>
              </td>
              <td className="end wide-only">{count(folder.files)}</td>
              <td className="end">{bytes(folder.bytes)}</td>
              <td className="soft wide-only">
                <Time at={folder.modified_at} />
              </td>
              <td className="fit">
                <button type="button" className="button small danger" onClick={() => setRemoved(folder)}>
                  Remove<span className="hidden"> {folder.location}</span>
                </button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {removed === null ? null : <RemoveDialog env={env} folder={removed} onClose={() => setRemoved(null)} />}
    </section>
  );
}
