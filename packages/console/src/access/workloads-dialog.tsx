import type { WorkloadIdentity } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Command } from '../design/copy.tsx';
import { ACTIONS, DataTable } from '../design/data-table.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/fields.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { notify } from '../design/toasts.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { refreshAccess, workloadsQuery } from './queries.ts';
import { scopeText } from './scope-text.ts';

function AddWorkload({ env, principal }: { env: string; principal: string }) {
  const [issuer, setIssuer] = useState('https://token.actions.githubusercontent.com');
  const [audience, setAudience] = useState(window.location.origin);
  const [subject, setSubject] = useState('');
  const [isHere, setHere] = useState(true);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      svc.workloadIdentities.create(principal, issuer, audience, subject, { environments: isHere ? [env] : undefined }),
    onSuccess: () => {
      notify(`${subject} can sign in as ${principal}.`);
      setSubject('');
      return refreshAccess();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Add a workload" autoComplete="off">
      <Field required label="Issuer" value={issuer} onChange={setIssuer} />
      <Field
        required
        label="Audience"
        value={audience}
        hint="The address of this service, as the workload knows it."
        onChange={setAudience}
      />
      <Field
        required
        label="Subject"
        value={subject}
        hint="Such as repo:my-org/pipelines:ref:refs/heads/main. A final * after : or / stands for any text."
        onChange={setSubject}
      />
      <label className="row">
        <input type="checkbox" checked={isHere} onChange={(event) => setHere(event.target.checked)} />
        Only in environment {env}
      </label>
      {error === null ? null : <ErrorNotice error={error} />}
      <Command>
        {svcCommand('workload-identity create', principal, {
          ...{ issuer, audience, subject: subject || 'SUBJECT' },
          environment: isHere ? env : undefined,
        })}
      </Command>
      <div>
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Adding …' : 'Add'}
        </button>
      </div>
    </form>
  );
}

function Workloads({ principal, onDelete }: { principal: string; onDelete: (workload: WorkloadIdentity) => void }) {
  const { data, error, refetch } = useQuery(workloadsQuery(principal));
  if (data === undefined) return error === null ? <Loading rows={3} /> : <ErrorState error={error} retry={refetch} />;
  if (data.length === 0)
    return (
      <Empty icon="key" title="No workloads">
        CI jobs and pods that are listed here sign in without a stored secret.
      </Empty>
    );
  return (
    <DataTable columns={['Workload', 'Scope', ACTIONS]}>
      {data.map((workload) => (
        <tr key={workload.id}>
          <td>
            <Name>{workload.subject}</Name>
            <p className="soft">
              <Name>{[workload.issuer, ...claimTexts(workload)].join(', ')}</Name>
            </p>
          </td>
          <td className="soft">{scopeText(workload)}</td>
          <td className="fit">
            <button type="button" className="button small danger" onClick={() => onDelete(workload)}>
              Delete<span className="hidden"> {workload.subject}</span>
            </button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

const claimTexts = ({ claims }: WorkloadIdentity): string[] =>
  Object.entries(claims).map(([name, value]) => `${name}=${value}`);

interface DeleteProps {
  workload: WorkloadIdentity;
  principal: string;
  onClose: () => void;
}

function DeleteWorkloadDialog({ workload: { id, subject }, principal, onClose }: DeleteProps) {
  return (
    <ActionDialog
      verb="Delete"
      pending="Deleting"
      object={subject}
      command={svcCommand('workload-identity delete', id, {})}
      isDangerous
      action={async () => {
        await svc.workloadIdentities.delete(id);
        return `Deleted ${subject}.`;
      }}
      onDone={refreshAccess}
      onClose={onClose}
    >
      <p className="soft">
        The workload can no longer sign in as {principal}, and the tokens that it got stop working immediately.
      </p>
    </ActionDialog>
  );
}

/** The CI jobs and pods that sign in as a service account. */
export function WorkloadsDialog(props: { env: string; principal: string; onClose: () => void }) {
  const { env, principal, onClose } = props;
  const [deleted, setDeleted] = useState<WorkloadIdentity | null>(null);
  if (deleted !== null)
    return <DeleteWorkloadDialog workload={deleted} principal={principal} onClose={() => setDeleted(null)} />;
  return (
    <Dialog label={`Workloads of ${principal}`} onClose={onClose}>
      <div className="body">
        <h2>Workloads of {principal}</h2>
        <Workloads principal={principal} onDelete={setDeleted} />
        <AddWorkload env={env} principal={principal} />
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
