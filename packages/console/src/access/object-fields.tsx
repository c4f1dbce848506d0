import { ACTIONS_OF } from '@svc/core/access';
import type { ScopeOptions } from '@svc/sdk/browser';
import { Options } from '../design/options.tsx';
import { NameField } from './name-field.tsx';

export const KINDS = {
  INSTANCE: 'Instance',
  ENVIRONMENT: 'Environment',
  NAMESPACE: 'Namespace',
  TABLE: 'Table',
  SERVICE_ACCOUNT: 'Service account',
} as const;
export type Kind = keyof typeof KINDS;

/** The object of a form. The environment is the one of the page. */
export interface ObjectChoice {
  readonly kind: Kind;
  readonly namespace: string;
  readonly table: string;
  readonly serviceAccount: string;
}

/** The object that the address names. */
export interface ObjectSearch {
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly table?: string | undefined;
  readonly account?: string | undefined;
}

export const kindOf = (text: string | undefined): Kind =>
  (Object.keys(KINDS) as Kind[]).find((kind) => kind === text) ?? 'ENVIRONMENT';

export const choiceOf = ({ kind, namespace = '', table = '', account = '' }: ObjectSearch): ObjectChoice => ({
  kind: kindOf(kind),
  namespace,
  table,
  serviceAccount: account,
});

/** The names of the chosen object; null while one is missing. */
export function namesOf(env: string, { kind, namespace, table, serviceAccount }: ObjectChoice): ScopeOptions | null {
  if (kind === 'INSTANCE') return {};
  if (kind === 'SERVICE_ACCOUNT') return serviceAccount === '' ? null : { service_account: serviceAccount };
  if (kind === 'ENVIRONMENT') return { environment: env };
  if (namespace === '') return null;
  if (kind === 'NAMESPACE') return { environment: env, namespace };
  return table === '' ? null : { environment: env, namespace, table };
}

/** The same for the address: what it doesn't need is left out. */
export function searchOf({ kind, namespace, table, serviceAccount }: ObjectChoice): ObjectSearch {
  return {
    kind: kind === 'ENVIRONMENT' ? undefined : kind,
    namespace: (kind === 'NAMESPACE' || kind === 'TABLE') && namespace !== '' ? namespace : undefined,
    table: kind === 'TABLE' && table !== '' ? table : undefined,
    account: kind === 'SERVICE_ACCOUNT' && serviceAccount !== '' ? serviceAccount : undefined,
  };
}

/** The action of the address if the kind has it, or the first one that reads. */
export function actionOf(kind: Kind, text: string | undefined): string {
  const actions: readonly string[] = ACTIONS_OF[kind];
  const reading = actions.find((action) => action === `READ_${kind}`);
  return actions.find((action) => action === text) ?? reading ?? actions[0]!;
}

interface ObjectFieldsProps {
  env: string;
  value: ObjectChoice;
  onChange: (value: ObjectChoice) => void;
}

/** Chooses the instance, the environment, a namespace or table of it, or a service account. */
export function ObjectFields({ env, value, onChange }: ObjectFieldsProps) {
  const { kind, namespace, table, serviceAccount } = value;
  const isInside = kind === 'NAMESPACE' || kind === 'TABLE';
  return (
    <>
      <select
        className="select"
        aria-label="Kind of object"
        value={kind}
        onChange={(event) => onChange({ ...value, kind: kindOf(event.target.value) })}
      >
        <Options of={Object.entries({ ...KINDS, ENVIRONMENT: `Environment ${env}` })} />
      </select>
      {isInside ? (
        <input
          className="input field-input"
          aria-label="Namespace"
          placeholder="Namespace"
          required
          spellCheck={false}
          autoComplete="off"
          value={namespace}
          onChange={(event) => onChange({ ...value, namespace: event.target.value })}
        />
      ) : null}
      {kind === 'TABLE' ? (
        <input
          className="input field-input"
          aria-label="Table"
          placeholder="Table"
          required
          spellCheck={false}
          autoComplete="off"
          value={table}
          onChange={(event) => onChange({ ...value, table: event.target.value })}
        />
      ) : null}
      {kind === 'SERVICE_ACCOUNT' ? (
        <NameField
          label="Service account"
          value={serviceAccount}
          onChange={(name) => onChange({ ...value, serviceAccount: name })}
        />
      ) : null}
    </>
  );
}

interface ActionFieldProps {
  kind: Kind;
  value: string;
  onChange: (action: string) => void;
}

export function ActionField({ kind, value, onChange }: ActionFieldProps) {
  return (
    <select className="select" aria-label="Action" value={value} onChange={(event) => onChange(event.target.value)}>
      <Options of={ACTIONS_OF[kind]} />
    </select>
  );
}
