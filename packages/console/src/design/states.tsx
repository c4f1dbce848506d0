import { type Failure, SvcError } from '@svc/sdk/browser';
import type { ReactNode } from 'react';
import { visible, visibleLines } from '../text/visible.ts';
import { Command } from './copy.tsx';
import { Icon, type IconName } from './icons.tsx';

/** Rows in the place of those that are being loaded. */
export function Loading({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  command?: string | undefined;
}

/** There is nothing yet; the command is the next step. */
export function Empty({ icon, title, children, command }: EmptyProps) {
  return (
    <div className="state">
      <span className="glyph">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {command === undefined ? null : <Command>{command}</Command>}
    </div>
  );
}

/** Filters leave nothing. */
export function NoMatch({ icon, title, onClear }: { icon: IconName; title: string; onClear: () => void }) {
  return (
    <Empty icon={icon} title={title}>
      <button type="button" className="button" onClick={onClear}>
        Remove the filters
      </button>
    </Empty>
  );
}

/** What is shown was loaded before an error; nothing without one. */
export function Outdated({ what, error }: { what: string; error: Error | null }) {
  if (error === null) return null;
  return (
    <div className="toolbar soft" role="status">
      {what} isn't up to date: {visible(error.message)}
    </div>
  );
}

const TITLES: Record<number, string> = {
  0: 'The service did not respond',
  403: "You don't have permission",
  404: 'Not found',
  429: 'Too many requests',
};

/** An error with its cause, its remedy and the id under which the service logged it. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { status, code } = factsOf(error);
  return (
    <div className="state" role="alert">
      <span className={status === 403 ? 'glyph' : 'glyph bad'}>
        <Icon name={status === 403 ? 'lock' : 'alert'} />
      </span>
      <h2>{TITLES[status] ?? 'Something went wrong'}</h2>
      <ErrorText error={error} />
      {retry === undefined || status === 403 || code === 'not-found' ? null : (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The same where a form or a part of a page failed. */
export function ErrorNotice({ error }: { error: unknown }) {
  return (
    <div className="notice bad" role="alert">
      <ErrorText error={error} />
    </div>
  );
}

function ErrorText({ error }: { error: unknown }) {
  const { message, remedy, requestId, errors } = factsOf(error);
  return (
    <>
      <p className="name lines">{visibleLines(message)}</p>
      {errors.length === 0 ? null : (
        <ul>
          {errors.map(({ parameter, pointer, message: text }) => (
            <li key={`${parameter}${pointer}${text}`} className="name">
              {visible(`${parameter ?? pointer ?? ''} ${text}`.trim())}
            </li>
          ))}
        </ul>
      )}
      {remedy === undefined ? null : remedy.startsWith('svc ') ? (
        <Command>{visible(remedy)}</Command>
      ) : (
        <p className="name">{visible(remedy)}</p>
      )}
      {requestId === undefined ? null : <p className="soft mono">Request {requestId}</p>}
    </>
  );
}

const NOTHING = { remedy: undefined, requestId: undefined, errors: [], status: -1, code: 'unexpected' };

/** Why a query or a task failed. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'detail' in error;

function factsOf(error: unknown): Pick<SvcError, 'message' | 'remedy' | 'requestId' | 'errors' | 'status' | 'code'> {
  if (error instanceof SvcError) return error;
  if (isFailure(error))
    return { ...NOTHING, message: error.detail, remedy: error.remedy ?? undefined, code: error.code };
  const message = error instanceof Error ? error.message : String(error);
  return { ...NOTHING, message };
}
