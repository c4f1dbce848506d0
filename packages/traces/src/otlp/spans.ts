import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { NewSpan, Span, SpanFields, Traces } from '@svc/core/traces';
import type { HeldTurns } from './turns.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context, 3.2); null when it is none. */
export function readTraceparent(text: string | null | undefined): SpanContext | null {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true };
}

class OtlpSpan implements Span {
  readonly own: SdkSpan;

  constructor(own: SdkSpan) {
    this.own = own;
  }

  get traceId(): string {
    return this.own.spanContext().traceId;
  }

  get spanId(): string {
    return this.own.spanContext().spanId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.own.spanContext();
    return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  }

  rename(name: string): void {
    this.own.updateName(name);
  }

  tell(fields: SpanFields): void {
    this.own.setAttributes({ ...fields });
  }

  fail(kind: string): void {
    this.own.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.own.end();
  }
}

/** Spans of the SDK. Which one is under way is this object's own: two services in one process do not mix. */
export class OtlpSpans implements Traces {
  private readonly underWay = new AsyncLocalStorage<OtlpSpan>();
  private readonly tracer: Tracer;
  private readonly turns: HeldTurns;

  constructor(tracer: Tracer, turns: HeldTurns) {
    this.tracer = tracer;
    this.turns = turns;
  }

  begin({ name, kind = 'internal', parent, fields = {} }: NewSpan): OtlpSpan {
    const options = { kind: KINDS[kind], attributes: { ...fields } };
    return new OtlpSpan(this.tracer.startSpan(name, options, this.contextOf(parent)));
  }

  private contextOf(parent: string | null | undefined): Context {
    const remote = readTraceparent(parent);
    if (remote !== null) return trace.setSpanContext(ROOT_CONTEXT, remote);
    const current = this.underWay.getStore();
    return current === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, current.own);
  }

  within<T>(span: Span, work: () => T): T {
    return this.underWay.run(span as OtlpSpan, work);
  }

  current(): Span | null {
    return this.underWay.getStore() ?? null;
  }

  async inSpan<T>(told: NewSpan, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.begin(told);
    try {
      return await this.within(span, () => work(span));
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  inChild<T>(told: NewSpan, work: () => Promise<T>): Promise<T> {
    return this.underWay.getStore() === undefined ? work() : this.inSpan(told, work);
  }

  async inTurn(name: string, work: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
    let keep = true;
    const span = this.underWay.exit(() => this.begin({ name }));
    this.turns.hold(span.traceId);
    try {
      const counts = await this.within(span, work);
      const done = Object.entries(counts).filter(([, count]) => count > 0);
      keep = done.length > 0;
      span.tell(Object.fromEntries(done.map(([what, count]) => [`svc.done.${what}`, count])));
      return counts;
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
      this.turns.release(span.traceId, keep);
    }
  }
}

/** A code where there is one, else the class: messages may hold data. */
function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
