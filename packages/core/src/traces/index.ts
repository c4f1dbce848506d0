/**
 * Attributes of a span, named after OpenTelemetry's conventions if there is one; never a statement, a value or a token.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span, as in W3C Trace Context and OpenTelemetry. */
export interface Span {
  /** Hexadecimal, like the ids in logs. */
  readonly traceId: string;
  readonly spanId: string;
  /** The value of the header or variable with which another process continues the trace. */
  readonly traceparent: string;
  rename(name: string): void;
  setAttributes(attributes: SpanAttributes): void;
  /** Marks the span as failed; `kind` is a code and never a message, because messages can contain data. */
  fail(kind: string): void;
  end(): void;
}

export interface NewSpan {
  /** One of a small set of names; put what varies between spans into the attributes. */
  name: string;
  /** `server` answers a request; `consumer` does work that a request stored in the database. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** A `traceparent`, for example of another process. Without a valid one the active span is the parent, if any. */
  parent?: string | null | undefined;
  attributes?: SpanAttributes;
}

/** Creates spans. Absent unless traces are configured, so that they cost nothing by default. */
export interface Traces {
  startSpan(span: NewSpan): Span;
  /** Calls `work` with the span active in everything that it starts. */
  withSpan<T>(span: Span, work: () => T): T;
  activeSpan(): Span | null;
  /** Runs `work` in a span that ends when the work does and is marked as failed if the work fails. */
  inSpan<T>(span: NewSpan, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * Like `inSpan` if a span is active; otherwise only runs the work, so that background work starts no traces of its
   * own.
   */
  inChildSpan<T>(span: NewSpan, work: () => Promise<T>): Promise<T>;
  /** Runs one tick of a loop in a span that is exported, with its children, only if it fails or one of its counts is above zero. */
  inTick(name: string, work: () => Promise<Record<string, number>>): Promise<Record<string, number>>;
}
