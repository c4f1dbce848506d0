/** What a command reads and writes; tests pass their own. */
export interface Io {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  stdin: AsyncIterable<Uint8Array>;
  env: Record<string, string | undefined>;
  /** Whether a person can be asked: standard input and error are a terminal. */
  interactive: boolean;
  /** Whether standard output is a terminal. */
  terminal: boolean;
  /** The terminal's width; undefined when it has none. */
  columns: number | undefined;
  /** Folder of the profile file. */
  configFolder: string;
  now: () => Date;
  /** Waits; rejects when the signal says so first. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Calls back when the person presses Ctrl-C; the answer ends that. */
  onInterrupt: (act: () => void) => () => void;
  /** Whole bytes to standard output, with back pressure. */
  pipe: (pieces: AsyncIterable<Uint8Array>) => Promise<void>;
  ask: {
    confirm: (question: string) => Promise<boolean>;
    text: (question: string) => Promise<string>;
    password: (question: string) => Promise<string>;
  };
}

/** `COLUMNS` counts off a terminal too. */
export function widthOf({ env, columns }: Pick<Io, 'env' | 'columns'>): number | undefined {
  const asked = Number(env.COLUMNS);
  return Number.isInteger(asked) && asked > 0 ? asked : columns;
}

/** Bold and colour: on a terminal, unless `NO_COLOR` is set. */
export function colourful({ env, terminal }: Pick<Io, 'env' | 'terminal'>): boolean {
  return terminal && !env.NO_COLOR && env.TERM !== 'dumb';
}
