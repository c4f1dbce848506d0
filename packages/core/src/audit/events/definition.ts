/** What svc knows about one type of audit event. */
export interface EventDefinition {
  /** When the event is recorded, for the reference. */
  readonly recorded: string;
  /** Fields of `detail` that never contain data or statements. Every reader of the event sees them (AUDIT-10). */
  readonly fields: readonly string[];
  /** Fields of `detail` that contain data or statements. */
  readonly content?: readonly string[];
  /** What a field contains or when it is present, for the reference. */
  readonly notes?: Readonly<Record<string, string>>;
}
