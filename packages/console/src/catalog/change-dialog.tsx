import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../design/confirm-dialog.tsx';
import { BreakGlassField, useIsProtected } from './break-glass.tsx';
import { refreshCatalog } from './queries.ts';

interface ChangeDialogProps {
  env: string;
  /** What is done, as in "Roll back". */
  verb: string;
  /** The same while it is being done. */
  pending: string;
  /** The full name of the table. */
  table: string;
  command: string;
  /** Returns what was done. */
  change: (options: { breakGlass: string | undefined }) => Promise<string>;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms a change of a table; in a protected environment, it asks for the reason. */
export function ChangeDialog({ env, table, change, children, ...props }: ChangeDialogProps) {
  const [reason, setReason] = useState('');
  const isProtected = useIsProtected(env);
  return (
    <ConfirmDialog
      {...props}
      object={table}
      change={() => change({ breakGlass: isProtected ? reason : undefined })}
      onDone={() => refreshCatalog(env)}
    >
      {children}
      {isProtected ? <BreakGlassField value={reason} onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}
