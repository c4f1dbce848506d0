import type * as z from 'zod';

/** One setting: its name, how its text is parsed, and its description on the reference page. */
export interface Setting<T = unknown> {
  name: `SVC_${string}`;
  read: z.ZodType<T, string | undefined>;
  meaning: string;
  /** The default as the reference page shows it. */
  byDefault: string;
  secret?: boolean;
}
