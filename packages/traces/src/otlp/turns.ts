import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Spans kept of one turn; a long one tells its first. */
const MOST_HELD = 1000;

/**
 * Keeps the spans of a background loop's turn until it has ended: the thousands that find nothing to do would bury the few
 * that do something. All other spans pass.
 */
export class HeldTurns implements SpanProcessor {
  private readonly held = new Map<string, ReadableSpan[]>();
  private readonly next: SpanProcessor;

  constructor(next: SpanProcessor) {
    this.next = next;
  }

  hold(traceId: string): void {
    this.held.set(traceId, []);
  }

  release(traceId: string, keep: boolean): void {
    const spans = this.held.get(traceId) ?? [];
    this.held.delete(traceId);
    if (keep) for (const span of spans) this.next.onEnd(span);
  }

  onStart(span: Span, parent: Context): void {
    this.next.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    const turn = this.held.get(span.spanContext().traceId);
    if (turn === undefined) this.next.onEnd(span);
    // The turn itself ends last, and is told in any case.
    else if (turn.length < MOST_HELD || span.parentSpanContext === undefined) turn.push(span);
  }

  forceFlush(): Promise<void> {
    return this.next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.next.shutdown();
  }
}
