import { startRegistration } from '@simplewebauthn/browser';
import type { TotpEnrolment } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { ErrorNotice } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { svcCommand } from '../text/commands.ts';
import { ConfirmedDialog } from './confirmed-dialog.tsx';
import { QrCode } from './qr-code.tsx';

interface AddProps {
  /** The recovery codes come with the first second factor. */
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <div className="field">
      <label htmlFor="factor-name">Name</label>
      <input
        id="factor-name"
        className="input"
        placeholder="phone"
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Shows the secret of a new authenticator app until it has proven to know it. It is in no cache and no storage. */
function ScanDialog({ started, name, onAdded, onClose }: AddProps & { started: TotpEnrolment; name: string }) {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => svc.secondFactors.add(started.enrolment, name, { code }),
    onSuccess: ({ recovery_codes }) => onAdded(recovery_codes),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <Dialog label="Add authenticator app" onClose={onClose}>
      <form className="body" onSubmit={submit} autoComplete="off">
        <h2>Add authenticator app</h2>
        <p className="soft">Scan the code with your authenticator app, or enter the secret there.</p>
        <QrCode text={started.uri} label="QR code of the secret" />
        <div className="field">
          <label htmlFor="factor-secret">Secret</label>
          <input id="factor-secret" className="input mono" readOnly value={started.secret} />
        </div>
        <div className="field">
          <label htmlFor="factor-code">Code that the app shows</label>
          <input
            id="factor-code"
            className="input mono"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </div>
        {error === null ? null : <ErrorNotice error={error} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isPending}>
            {isPending ? 'Adding …' : 'Add'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function AddAppDialog(props: AddProps) {
  const [name, setName] = useState('');
  const [started, setStarted] = useState<TotpEnrolment | null>(null);
  if (started !== null) return <ScanDialog {...props} started={started} name={name} />;
  return (
    <ConfirmedDialog
      title="Add authenticator app"
      verb="Continue"
      pending="Starting"
      command={svcCommand('second-factor add', name || 'NAME', {})}
      action={async () => setStarted(await svc.secondFactors.startTotp())}
      onClose={props.onClose}
    >
      <p className="soft">An app on your phone shows a code that you enter after your password.</p>
      <NameField value={name} onChange={setName} />
    </ConfirmedDialog>
  );
}

export function AddKeyDialog({ onAdded, onClose }: AddProps) {
  const [name, setName] = useState('');
  return (
    <ConfirmedDialog
      title="Add security key or passkey"
      verb="Continue"
      pending="Waiting for the key"
      action={async () => {
        const { enrolment, options } = await svc.secondFactors.startSecurityKey();
        const created = await startRegistration({ optionsJSON: options as never });
        const credential = created as unknown as Record<string, unknown>;
        onAdded((await svc.secondFactors.add(enrolment, name, { credential })).recovery_codes);
      }}
      onClose={onClose}
    >
      <p className="soft">The browser continues with your security key, or with a passkey of this device.</p>
      <NameField value={name} onChange={setName} />
    </ConfirmedDialog>
  );
}
