/** What a span tells, by the names of OpenTelemetry's conventions where there are any; never a statement, a value or a token. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** One piece of work in a trace, as W3C Trace Context and OpenTelemetry have it. */
export interface Span {
  /** Hexadecimal, as the ids of logs. */
  readonly traceId: string;
  readonly spanId: string;
  /** The header and the variable that let others go on with the trace. */
  readonly traceparent: string;
  rename(name: string): void;
  tell(fields: SpanFields): void;
  /** It failed; `kind` is a code and never a message, which could hold what somebody stored. */
  fail(kind: string): void;
  end(): void;
}

export interface NewSpan {
  /** One of few: what differs from one to the next stands in the fields. */
  name: string;
  /** `server` answers a request, `consumer` does what a request left in the database. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** A `traceparent`, such as of another process. Left out or unreadable: the span under way is the parent, if there is one. */
  parent?: string | null | undefined;
  fields?: SpanFields;
}

/** Where spans are made; there is none where nobody asked for traces, and then nothing is done for them. */
export interface Traces {
  begin(span: NewSpan): Span;
  /** Calls `work`; the span is the one under way in all that it begins. */
  within<T>(span: Span, work: () => T): T;
  /** The span under way, or null. */
  current(): Span | null;
  /** Does `work` in a span that ends with it, and fails with it. */
  inSpan<T>(span: NewSpan, work: (span: Span) => Promise<T>): Promise<T>;
  /** The same where a span is under way; elsewhere it only does the work: what nobody asked for begins no trace. */
  inChild<T>(span: NewSpan, work: () => Promise<T>): Promise<T>;
  /** Does `work` in a span that is told, with all below it, only if it failed or one of its counts is above zero. */
  inTurn(name: string, work: () => Promise<Record<string, number>>): Promise<Record<string, number>>;
}
