import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Spans buffered per tick; of a longer one the first are exported. */
const MAX_BUFFERED = 1000;

/**
 * Buffers the spans of a background loop's tick until it has finished: thousands of ticks without work would bury the few
 * that did something. All other spans pass through.
 */
export class TickBuffer implements SpanProcessor {
  private readonly buffered = new Map<string, ReadableSpan[]>();
  private readonly next: SpanProcessor;

  constructor(next: SpanProcessor) {
    this.next = next;
  }

  buffer(traceId: string): void {
    this.buffered.set(traceId, []);
  }

  release(traceId: string, exported: boolean): void {
    const spans = this.buffered.get(traceId) ?? [];
    this.buffered.delete(traceId);
    if (exported) for (const span of spans) this.next.onEnd(span);
  }

  onStart(span: Span, parent: Context): void {
    this.next.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    const tick = this.buffered.get(span.spanContext().traceId);
    if (tick === undefined) this.next.onEnd(span);
    // The span of the tick itself ends last and is always exported.
    else if (tick.length < MAX_BUFFERED || span.parentSpanContext === undefined) tick.push(span);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}
