/** The exit codes. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  unavailable: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Stops a command with a sentence and, if there is one, the next command to run. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly remedy: string | undefined;
  /** Lines that show people the position of the error, below the sentence. */
  readonly excerpt: readonly string[];

  constructor(message: string, exitCode: ExitCode, remedy?: string, excerpt: readonly string[] = []) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.remedy = remedy;
    this.excerpt = excerpt;
  }
}

export const usageError = (message: string, remedy?: string) => new CliError(message, EXIT.usage, remedy);
/** The work was started and failed. */
export const workError = (message: string, remedy?: string | null, excerpt?: readonly string[]) =>
  new CliError(message, EXIT.failed, remedy ?? undefined, excerpt);
