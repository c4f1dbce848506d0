/** What svc knows about one failure code. */
export interface FailureDefinition {
  /** The records whose `error` has it. */
  readonly of: string;
  /** The usual cause and remedy, as Markdown for the reference. A record has its own texts. */
  readonly cause: string;
  readonly remedy: string;
}
