import type { TotpEnrolment } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Field } from '../design/fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { svc } from '../service/client.ts';
import { createKey, stopUsingKeys } from '../session/security-keys.ts';
import { svcCommand } from '../text/commands.ts';
import { ConfirmedDialog } from './confirmed-dialog.tsx';
import { QrCode } from './qr-code.tsx';

interface AddProps {
  /** The recovery codes come with the first second factor. */
  onAdded: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return <Field label="Name" placeholder="phone" required value={value} onChange={onChange} />;
}

/** Shows the secret of a new authenticator app until it has proven to know it. It is in no cache and no storage. */
function ScanDialog({ started, name, onAdded, onClose }: AddProps & { started: TotpEnrolment; name: string }) {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => svc.secondFactors.add(started.enrolment, name, { code }),
    onSuccess: ({ recovery_codes }) => onAdded(recovery_codes),
    gcTime: 0,
  });
  return (
    <FormDialog
      label="Add authenticator app"
      verb="Add"
      pending="Adding"
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <p className="soft">Scan the code with your authenticator app, or enter the secret there.</p>
      <QrCode text={started.uri} label="QR code of the secret" />
      <Field label="Secret" className="mono" readOnly value={started.secret} />
      <Field
        label="Code that the app shows"
        className="mono"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  );
}

export function AddAppDialog(props: AddProps) {
  const [name, setName] = useState('');
  const [started, setStarted] = useState<TotpEnrolment | null>(null);
  if (started !== null) return <ScanDialog {...props} started={started} name={name} />;
  return (
    <ConfirmedDialog
      label="Add authenticator app"
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
  useEffect(() => stopUsingKeys, []);
  return (
    <ConfirmedDialog
      label="Add security key or passkey"
      verb="Continue"
      pending="Waiting for the key"
      action={async () => {
        const { enrolment, options } = await svc.secondFactors.startSecurityKey();
        const credential = await createKey(options);
        onAdded((await svc.secondFactors.add(enrolment, name, { credential })).recovery_codes);
      }}
      onClose={onClose}
    >
      <p className="soft">The browser continues with your security key, or with a passkey of this device.</p>
      <NameField value={name} onChange={setName} />
    </ConfirmedDialog>
  );
}
