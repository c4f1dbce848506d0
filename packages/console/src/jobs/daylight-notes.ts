import type { JobSchedule } from '@svc/sdk/browser';

type Note = NonNullable<JobSchedule['times'][number]['note']>;

/** What daylight saving time does to a time of a schedule. */
export const DAYLIGHT_NOTES: Readonly<Record<Note, { label: string; text: string }>> = {
  moved: { label: 'moved', text: 'The clocks skip the scheduled time, so it fires when they have gone forward.' },
  once: { label: 'once', text: 'The clocks show this time twice; it fires the first time only.' },
  first_of_two: { label: 'first of two', text: 'The clocks show this time twice; it fires both times.' },
  second_of_two: { label: 'second of two', text: 'The clocks show this time twice; it fires both times.' },
  after_gap: { label: 'after a gap', text: "The clocks have gone forward; the times that they skip don't fire." },
};
