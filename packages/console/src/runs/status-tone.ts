import type { Run, RunTask } from '@svc/sdk/browser';
import type { Tone } from '../design/badge.tsx';

export type Status = Run['status'] | RunTask['status'];

const TONES: Record<Status, Tone> = {
  queued: 'plain',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'warn',
  skipped: 'plain',
};

export const toneOf = (status: Status): Tone => TONES[status];
