import { SvcError } from '@svc/sdk/browser';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PasswordField } from '../design/fields.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { svc } from '../service/client.ts';

interface ConfirmedDialogProps {
  label: string;
  verb: string;
  pending: string;
  command?: string;
  isDangerous?: boolean;
  action: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

/** Confirms a change of second factors. If the sign-in was too long ago, it requests the password first. */
export function ConfirmedDialog({ action, children, ...dialog }: ConfirmedDialogProps) {
  const [password, setPassword] = useState('');
  const [needsPassword, setNeedsPassword] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      if (needsPassword) await svc.access.confirmPassword(password);
      await action();
    },
    onError: (failure) => {
      if (failure instanceof SvcError && failure.code === 'confirmation-required') setNeedsPassword(true);
    },
    gcTime: 0,
  });
  return (
    <FormDialog {...dialog} isPending={isPending} error={error} onSubmit={mutate}>
      {children}
      {needsPassword ? <PasswordField value={password} onChange={setPassword} /> : null}
    </FormDialog>
  );
}
