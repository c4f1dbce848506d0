import type { IdentityProvider } from '@svc/sdk/browser';
import { type ComponentProps, useState } from 'react';
import { ActionDialog } from '../design/action-dialog.tsx';
import { Field } from '../design/fields.tsx';
import { svc } from '../service/client.ts';
import { areMapped, commandOf, type Draft, draftOf, fieldsOf, NEW_PROVIDER } from './identity-provider-draft.ts';
import { refreshSettings } from './queries.ts';

/** A text that browsers neither complete nor correct. */
const TextField = (props: ComponentProps<typeof Field>) => (
  <Field autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
);

function CheckField({ label, value, onChange }: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className="row nested">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} /> {label}
    </label>
  );
}

interface FieldsProps {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
}

/** Where the provider is, and who svc is there. */
function ClientFields({ draft, set, provider }: FieldsProps & { provider: IdentityProvider | null }) {
  return (
    <>
      {provider === null ? (
        <>
          <TextField label="Name" value={draft.name} onChange={(name) => set({ name })} required />
          <TextField label="Issuer" type="url" value={draft.issuer} onChange={(issuer) => set({ issuer })} required />
        </>
      ) : null}
      <TextField label="Client ID" value={draft.clientId} onChange={(clientId) => set({ clientId })} required />
      <TextField
        label={provider?.has_client_secret ? 'Client secret (empty: stays as it is)' : 'Client secret (empty: none)'}
        type="password"
        value={draft.clientSecret}
        onChange={(clientSecret) => set({ clientSecret })}
        hint="Encrypted, and never shown again."
      />
      <TextField label="Scopes" value={draft.scopes} onChange={(scopes) => set({ scopes })} required />
    </>
  );
}

/** Which people can sign in, and the groups that they are added to. */
function PeopleFields({ draft, set }: FieldsProps) {
  return (
    <>
      <div className="field">
        <label htmlFor="idp-link">People who exist are linked</label>
        <select
          id="idp-link"
          className="select"
          value={draft.linkBy}
          onChange={({ target }) => set({ linkBy: target.value === 'subject' ? 'subject' : 'verified-email' })}
        >
          <option value="subject">by administrators</option>
          <option value="verified-email">by a verified e-mail address</option>
        </select>
      </div>
      <TextField
        label="E-mail domains (empty: any)"
        value={draft.domains}
        onChange={(domains) => set({ domains })}
        hint="Verified addresses that may sign in for the first time."
      />
      <TextField
        label="Claim with groups (empty: none)"
        value={draft.groupsClaim}
        onChange={(groupsClaim) => set({ groupsClaim })}
      />
      <div className="field">
        <label htmlFor="idp-groups">Groups, one VALUE=GROUP per line</label>
        <textarea
          id="idp-groups"
          className="input"
          rows={3}
          spellCheck={false}
          value={draft.groups}
          onChange={(event) => set({ groups: event.target.value })}
        />
        {areMapped(draft.groups) ? null : <span role="alert">Each line needs a value, "=" and a group.</span>}
      </div>
      <CheckField
        label="Create people at their first sign-in"
        value={draft.createPeople}
        onChange={(createPeople) => set({ createPeople })}
      />
      <CheckField label="Active" value={draft.active} onChange={(active) => set({ active })} />
    </>
  );
}

interface DialogProps {
  /** Null for a new one. */
  provider: IdentityProvider | null;
  onClose: () => void;
}

/** Registers an identity provider, or changes one. */
export function IdentityProviderDialog({ provider, onClose }: DialogProps) {
  const [draft, setDraft] = useState(provider === null ? NEW_PROVIDER : draftOf(provider));
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <ActionDialog
      verb={provider === null ? 'Add identity provider' : 'Change'}
      pending="Saving"
      object={provider?.name ?? null}
      command={commandOf(draft, provider)}
      isReady={areMapped(draft.groups)}
      action={async () => {
        const { name, issuer, clientId: client_id } = draft;
        const fields = { client_id, ...fieldsOf(draft) };
        if (provider === null) await svc.identityProviders.create({ name, issuer, ...fields });
        else await svc.identityProviders.update(name, fields);
        return provider === null ? `Added ${name}.` : `Changed ${name}.`;
      }}
      onDone={refreshSettings}
      onClose={onClose}
    >
      <ClientFields draft={draft} set={set} provider={provider} />
      <PeopleFields draft={draft} set={set} />
    </ActionDialog>
  );
}
