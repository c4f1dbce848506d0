/** Input and output of a command; tests pass their own. */
export interface Io {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  stdin: AsyncIterable<Uint8Array>;
  env: Record<string, string | undefined>;
  /** Whether prompts are possible: standard input and error are a terminal. */
  interactive: boolean;
  /** Whether standard output is a terminal. */
  terminal: boolean;
  /** The terminal's width; undefined when it has none. */
  columns: number | undefined;
  /** Folder that contains the profile file. */
  configFolder: string;
  now: () => Date;
  /** Waits; rejects if the signal aborts first. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Calls back on Ctrl-C; the returned function removes the listener. */
  onInterrupt: (listener: () => void) => () => void;
  /** Writes bytes to standard output, with back pressure. */
  pipe: (chunks: AsyncIterable<Uint8Array>) => Promise<void>;
  prompt: {
    confirm: (question: string) => Promise<boolean>;
    text: (question: string) => Promise<string>;
    password: (question: string) => Promise<string>;
  };
}

/** Width of the output. `COLUMNS` also applies without a terminal. */
export function widthOf({ env, columns }: Pick<Io, 'env' | 'columns'>): number | undefined {
  const requested = Number(env.COLUMNS);
  return Number.isInteger(requested) && requested > 0 ? requested : columns;
}

/** Whether to use bold and colored text: on a terminal, unless `NO_COLOR` is set. */
export function usesStyles({ env, terminal }: Pick<Io, 'env' | 'terminal'>): boolean {
  return terminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
