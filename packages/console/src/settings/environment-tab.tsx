import type { Environment, EnvironmentQuotas } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Facts } from '../design/facts.tsx';
import { Field } from '../design/fields.tsx';
import { Name } from '../design/name.tsx';
import { ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { bytes, count, plural } from '../text/numbers.ts';
import { environmentQuery, refreshSettings, retentionPreviewQuery } from './queries.ts';

type Edited = 'protection' | 'description' | 'retention' | 'quotas';

interface EditProps {
  environment: Environment;
  onClose: () => void;
}

function ProtectionDialog({ environment: { name, protected: isProtected }, onClose }: EditProps) {
  return (
    <ActionDialog
      verb={isProtected ? 'Unprotect' : 'Protect'}
      pending={isProtected ? 'Unprotecting' : 'Protecting'}
      object={name}
      command={svcCommand('env update', name, isProtected ? { 'no-protected': true } : { protected: true })}
      isDangerous={isProtected}
      action={async () => {
        await svc.environments.update(name, { protected: !isProtected });
        return isProtected ? `${name} is no longer protected.` : `${name} is protected.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <p className="soft">
        {isProtected
          ? 'Everyone with the permission can change tables directly, without a reason.'
          : 'Only runs of the deployed project change tables. Other changes need a reason, which the audit log records.'}
      </p>
    </ActionDialog>
  );
}

function DescriptionDialog({ environment: { name, description }, onClose }: EditProps) {
  const [text, setText] = useState(description ?? '');
  return (
    <ActionDialog
      verb="Describe"
      pending="Saving"
      object={name}
      command={svcCommand('env update', name, { description: text })}
      action={async () => {
        await svc.environments.update(name, { description: text === '' ? null : text });
        return `Changed the description of ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="description">Description</label>
        <textarea
          id="description"
          className="input"
          rows={4}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </ActionDialog>
  );
}

/** The tables that the rule would drop, soonest first. */
function RetentionPreview({ env, days }: { env: string; days: number }) {
  const { data, error } = useQuery(retentionPreviewQuery(env, days));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={2} label="Loading the effect" />;
  if (data.items.length === 0) return <p className="notice">No table that you can read would expire.</p>;
  return (
    <div className="notice warn">
      <p>These tables would expire unless they are used:</p>
      <ul>
        {data.items.map(({ id, namespace, name, expires_at }) => (
          <li key={id}>
            <Name>{`${namespace}.${name}`}</Name>{' '}
            <span className="soft">
              <Time at={expires_at} />
            </span>
          </li>
        ))}
      </ul>
      {data.next_cursor === null ? null : <p className="soft">and more</p>}
    </div>
  );
}

function RetentionDialog({ environment: { name, retention_days }, onClose }: EditProps) {
  const [text, setText] = useState(retention_days === null ? '' : String(retention_days));
  const days = text === '' ? null : Number(text);
  const isValid = days === null || (Number.isInteger(days) && days >= 1);
  return (
    <ActionDialog
      verb="Set retention"
      pending="Saving"
      object={name}
      command={svcCommand('env retention', name, days === null ? { off: true } : { days: text })}
      isReady={isValid}
      action={async () => {
        await svc.environments.setRetention(name, days);
        return days === null ? `${name} has no retention.` : `Tables of ${name} expire after ${plural(days, 'day')}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <Field
        label="Days without use (empty: never)"
        type="number"
        min={1}
        value={text}
        hint="A table that nobody reads or writes for this long is dropped. It can be restored for the undo period."
        onChange={setText}
      />
      {days === null || !isValid ? null : <RetentionPreview env={name} days={days} />}
    </ActionDialog>
  );
}

const GIGABYTE = 1_000_000_000;

/** The environment's own limit; empty if the operator's applies. */
const ownLimit = ({ limit, source }: { limit: number | null; source: string | null }): number | null =>
  source === 'environment' ? limit : null;

/** Without a value, the command leaves a quota as it is: to remove one of the two, it takes the request itself. */
function quotasCommand(
  name: string,
  own: { storage: number | null; concurrent: number | null },
  changed: { storage_bytes: number | null; concurrent_queries: number | null },
): string {
  const { storage_bytes: storage, concurrent_queries: concurrent } = changed;
  if (storage === null && concurrent === null) return svcCommand('env quotas', name, { clear: true });
  if ((storage === null && own.storage !== null) || (concurrent === null && own.concurrent !== null))
    return svcCommand('api', ['PUT', `environments/${name}/quotas`], { body: JSON.stringify(changed) });
  return svcCommand('env quotas', name, {
    storage: storage === null ? undefined : `${storage}B`,
    queries: concurrent === null ? undefined : String(concurrent),
  });
}

function QuotasDialog({ environment: { name }, quotas, onClose }: EditProps & { quotas: EnvironmentQuotas }) {
  const storage = ownLimit(quotas.storage_bytes);
  const concurrent = ownLimit(quotas.concurrent_queries);
  const [size, setSize] = useState(storage === null ? '' : String(storage / GIGABYTE));
  const [queries, setQueries] = useState(concurrent === null ? '' : String(concurrent));
  const changed = {
    storage_bytes: size === '' ? null : Math.round(Number(size) * GIGABYTE),
    concurrent_queries: queries === '' ? null : Number(queries),
  };
  return (
    <ActionDialog
      verb="Set quotas"
      pending="Saving"
      object={name}
      command={quotasCommand(name, { storage, concurrent }, changed)}
      action={async () => {
        await svc.environments.setQuotas(name, changed);
        return `Set the quotas of ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <Field
        label="Storage in GB (empty: the operator's limit)"
        type="number"
        min={0}
        step="any"
        value={size}
        onChange={setSize}
      />
      <Field
        label="Queries at once (empty: the operator's limit)"
        type="number"
        min={1}
        value={queries}
        onChange={setQueries}
      />
    </ActionDialog>
  );
}

const limitText = (used: string, limit: string, { source }: { source: string | null }): string =>
  source === null ? `${used}, no limit` : `${used} of ${limit}${source === 'instance' ? " (operator's)" : ''}`;

/** What applies to all of an environment: protection, description, retention and quotas. */
export function EnvironmentTab({ env }: { env: string }) {
  const { data, error, refetch } = useQuery(environmentQuery(env));
  const [edited, setEdited] = useState<Edited | null>(null);
  const canManage = useOwnPermission('MANAGE_ENVIRONMENT', { environment: env })?.allowed ?? false;
  const setsQuotas = useOwnPermission('MANAGE_ENVIRONMENT', {})?.allowed ?? false;
  if (data === undefined)
    return <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>;
  const { environment, quotas } = data;
  const { storage_bytes: storage, concurrent_queries: concurrent } = quotas;
  const close = () => setEdited(null);
  const actions: [Edited, string, boolean][] = [
    ['protection', environment.protected ? 'Unprotect …' : 'Protect …', canManage],
    ['description', 'Describe …', canManage],
    ['retention', 'Set retention …', canManage],
    ['quotas', 'Set quotas …', setsQuotas],
  ];
  return (
    <>
      <Facts
        facts={[
          ['Protected', environment.protected ? 'yes' : 'no'],
          [
            'Retention',
            environment.retention_days === null ? 'never' : `${plural(environment.retention_days, 'day')} without use`,
          ],
          ['Storage', limitText(bytes(storage.used), bytes(storage.limit), storage)],
          ['Queries at once', limitText(count(concurrent.used), count(concurrent.limit), concurrent)],
          ['Waiting queries', count(concurrent.waiting)],
          ['Created', <Time key="created" at={environment.created_at} />],
        ]}
      />
      <section className="card padded stack" aria-label="Description">
        <h2>Description</h2>
        <p className="soft">
          {environment.description === null ? 'No description.' : <Name>{environment.description}</Name>}
        </p>
      </section>
      <div className="row">
        {actions.map(([key, text, isAllowed]) =>
          isAllowed ? (
            <button key={key} type="button" className="button" onClick={() => setEdited(key)}>
              {text}
            </button>
          ) : null,
        )}
      </div>
      {edited === 'protection' ? <ProtectionDialog environment={environment} onClose={close} /> : null}
      {edited === 'description' ? <DescriptionDialog environment={environment} onClose={close} /> : null}
      {edited === 'retention' ? <RetentionDialog environment={environment} onClose={close} /> : null}
      {edited === 'quotas' ? <QuotasDialog environment={environment} quotas={quotas} onClose={close} /> : null}
    </>
  );
}
