/** The exit codes (interface: command line). */
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

/** Ends a command with a sentence for people and, where there is one, the next command to type. */
export class Failed extends Error {
  readonly exitCode: ExitCode;
  readonly remedy: string | undefined;

  constructor(message: string, exitCode: ExitCode, remedy?: string) {
    super(message);
    this.name = 'Failed';
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}

export const usage = (message: string, remedy?: string) => new Failed(message, EXIT.usage, remedy);
/** The work was done and failed: the sentence has been, or is, its failure. */
export const workFailed = (message: string, remedy?: string | null) =>
  new Failed(message, EXIT.failed, remedy ?? undefined);
