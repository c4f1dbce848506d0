import { useSyncExternalStore } from 'react';
import { visible } from '../text/visible.ts';

const SHOWN_MS = 6000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function replace(changed: readonly Toast[]): void {
  toasts = changed;
  for (const listener of listeners) listener();
}

/** Reports that something was done. */
export function notify(text: string): void {
  const id = ++last;
  replace([...toasts, { id, text }]);
  setTimeout(() => replace(toasts.filter((toast) => toast.id !== id)), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id} className="name">
          {visible(text)}
        </p>
      ))}
    </div>
  );
}
