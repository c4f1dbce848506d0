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
import type { NewSpan, Span, SpanAttributes, Traces } from '@svc/core/traces';
import type { TickBuffer } from './tick-buffer.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` (W3C Trace Context, 3.2); null if it is invalid. */
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

  setAttributes(attributes: SpanAttributes): void {
    this.own.setAttributes({ ...attributes });
  }

  fail(kind: string): void {
    this.own.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.own.end();
  }
}

/** Spans of the SDK. Each instance tracks its own active span, so that two services in one process don't mix. */
export class OtlpSpans implements Traces {
  private readonly active = new AsyncLocalStorage<OtlpSpan>();
  private readonly tracer: Tracer;
  private readonly ticks: TickBuffer;

  constructor(tracer: Tracer, ticks: TickBuffer) {
    this.tracer = tracer;
    this.ticks = ticks;
  }

  startSpan({ name, kind = 'internal', parent, attributes = {} }: NewSpan): OtlpSpan {
    const options = { kind: KINDS[kind], attributes: { ...attributes } };
    return new OtlpSpan(this.tracer.startSpan(name, options, this.contextOf(parent)));
  }

  private contextOf(parent: string | null | undefined): Context {
    const remote = readTraceparent(parent);
    if (remote !== null) return trace.setSpanContext(ROOT_CONTEXT, remote);
    const current = this.active.getStore();
    return current === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, current.own);
  }

  withSpan<T>(span: Span, work: () => T): T {
    return this.active.run(span as OtlpSpan, work);
  }

  activeSpan(): Span | null {
    return this.active.getStore() ?? null;
  }

  async inSpan<T>(options: NewSpan, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.startSpan(options);
    try {
      return await this.withSpan(span, () => work(span));
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  inChildSpan<T>(options: NewSpan, work: () => Promise<T>): Promise<T> {
    return this.active.getStore() === undefined ? work() : this.inSpan(options, work);
  }

  async inTick(name: string, work: () => Promise<Record<string, number>>): Promise<Record<string, number>> {
    let shouldExport = true;
    const span = this.active.exit(() => this.startSpan({ name }));
    this.ticks.buffer(span.traceId);
    try {
      const counts = await this.withSpan(span, work);
      const done = Object.entries(counts).filter(([, count]) => count > 0);
      shouldExport = done.length > 0;
      span.setAttributes(Object.fromEntries(done.map(([what, count]) => [`svc.done.${what}`, count])));
      return counts;
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
      this.ticks.release(span.traceId, shouldExport);
    }
  }
}

/** The error's code if it has one, else its class: messages can contain data. */
function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
