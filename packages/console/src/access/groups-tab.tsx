import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Badge } from '../design/badge.tsx';
import { Command } from '../design/copy.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Listing } from '../design/listing.tsx';
import { Name } from '../design/name.tsx';
import { SearchBox } from '../design/search-box.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { NameField } from './name-field.tsx';
import { groupsQuery, membersQuery, refreshAccess } from './queries.ts';
import type { TabProps } from './tabs.ts';
import { useOwnPermission } from './use-own-permission.ts';

function CreateGroupDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  return (
    <ActionDialog
      verb="Create group"
      pending="Creating"
      object={null}
      command={svcCommand('group create', name || 'NAME', {})}
      action={async () => {
        await svc.groups.create(name);
        return `Created the group ${name}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <NameField label="Name" value={name} onChange={setName} />
    </ActionDialog>
  );
}

function DeleteGroupDialog({ group, onClose, onDone }: { group: string; onClose: () => void; onDone: () => void }) {
  return (
    <ActionDialog
      verb="Delete group"
      pending="Deleting"
      object={group}
      command={svcCommand('group delete', group, {})}
      isDangerous
      action={async () => {
        await svc.groups.delete(group);
        return `Deleted the group ${group}.`;
      }}
      onDone={() => {
        onDone();
        return refreshAccess();
      }}
      onClose={onClose}
    >
      <p className="soft">Its grants are revoked, and its members lose what only they allowed.</p>
    </ActionDialog>
  );
}

function AddMember({ group }: { group: string }) {
  const [name, setName] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => svc.groups.addMember(group, name.trim()),
    onSuccess: () => {
      notify(`Added ${name.trim()} to ${group}.`);
      setName('');
      return refreshAccess();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <>
      <form className="row" onSubmit={submit} aria-label="Add a member">
        <NameField value={name} onChange={setName} />
        <button type="submit" className="button" disabled={isPending}>
          Add
        </button>
      </form>
      {error === null ? null : <ErrorNotice error={error} />}
      <div>
        <Command>{svcCommand('group add-member', [group, name || 'NAME'], {})}</Command>
      </div>
    </>
  );
}

function RemoveDialog({ group, member, onClose }: { group: string; member: string; onClose: () => void }) {
  return (
    <ActionDialog
      verb="Remove"
      pending="Removing"
      object={`${member} from ${group}`}
      command={svcCommand('group remove-member', [group, member], {})}
      isDangerous
      action={async () => {
        await svc.groups.removeMember(group, member);
        return `Removed ${member} from ${group}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">The principal loses what only the grants of this group allow.</p>
    </ActionDialog>
  );
}

function Members({ group }: { group: string }) {
  const { data, error, refetch } = useQuery(membersQuery(group));
  const [removed, setRemoved] = useState<string | null>(null);
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  return (
    <>
      {data.length === 0 ? (
        <Empty icon="users" title="No members">
          Members have everything that the grants of the group allow.
        </Empty>
      ) : (
        <DataTable columns={['Member', ['Type', 'wide-only'], ACTIONS]}>
          {data.map(({ id, name, type, active }) => (
            <tr key={id}>
              <td>
                <span className="row">
                  <Name>{name}</Name>
                  {active ? null : <Badge tone="warn">deactivated</Badge>}
                </span>
              </td>
              <td className="soft wide-only">{type}</td>
              <td className="fit">
                <button type="button" className="button small" onClick={() => setRemoved(name)}>
                  Remove<span className="hidden"> {name}</span>
                </button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {removed === null ? null : <RemoveDialog group={group} member={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function Group({ env, group, onClosed }: { env: string; group: string; onClosed: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <section className="stack" aria-label={`Group ${group}`}>
      <div className="row spread">
        <h2>
          <Name>{group}</Name>
        </h2>
        <div className="row">
          <Link to="/$env/access" params={{ env }} search={{ tab: 'grants', group }} className="button">
            Grants
          </Link>
          <button type="button" className="button danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
          <button type="button" className="button" onClick={onClosed}>
            All groups
          </button>
        </div>
      </div>
      <AddMember group={group} />
      <div className="card">
        <Members group={group} />
      </div>
      {isDeleting ? <DeleteGroupDialog group={group} onClose={() => setDeleting(false)} onDone={onClosed} /> : null}
    </section>
  );
}

/** The groups, or the members of one. */
export function GroupsTab({ env, search, onChange }: TabProps) {
  const { q, group } = search;
  const query = useInfiniteQuery({ ...groupsQuery(q), enabled: group === undefined });
  const [isCreating, setCreating] = useState(false);
  const canManage = useOwnPermission('MANAGE_GROUP', {})?.allowed ?? false;
  if (group !== undefined)
    return <Group key={group} env={env} group={group} onClosed={() => onChange({ group: undefined })} />;
  return (
    <>
      {canManage ? (
        <div className="row spread">
          <SearchBox label="Search groups" value={q ?? ''} onChange={(text) => onChange({ q: text || undefined })} />
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            Create group …
          </button>
        </div>
      ) : null}
      <section className="card" aria-label="Groups">
        <Listing
          query={query}
          columns={['Group', ['Created', 'end']]}
          empty={
            q === undefined ? (
              <Empty icon="users" title="No groups yet" command="svc group create analysts">
                Grant roles to groups rather than to single people: people who join get them, and people who leave lose
                them.
              </Empty>
            ) : (
              <Empty icon="users" title="No group matches" />
            )
          }
          row={({ id, name, created_at }) => (
            <tr key={id} className="linked">
              <td>
                <Link to="/$env/access" params={{ env }} search={{ tab: 'groups', group: name }} className="rowlink">
                  <Name>{name}</Name>
                </Link>
              </td>
              <td className="end soft">
                <Time at={created_at} />
              </td>
            </tr>
          )}
        />
      </section>
      {isCreating ? <CreateGroupDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
