/** What svc knows about one error code. */
export interface ErrorDefinition {
  readonly status: number;
  readonly title: string;
  /** The usual cause and remedy, as Markdown for the reference. A response has its own texts. */
  readonly cause: string;
  readonly remedy: string;
}
