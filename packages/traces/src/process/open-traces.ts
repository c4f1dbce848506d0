import type { Settings } from '@svc/core/settings';
import type { Traces } from '@svc/core/traces';

/** The part of a pino logger that is used here. */
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The traces of one process. */
export interface OpenTraces {
  traces: Traces;
  /** Fields for every log line that is written in a trace: pino's `mixin`. */
  logged: () => object;
  /** Sends the remaining spans, within seconds. The last step before a process exits. */
  stop: () => Promise<void>;
}

type TraceSettings = Pick<Settings, 'tracesEndpoint' | 'tracesHeaders' | 'tracesSampleRatio'>;

/**
 * Opens traces if the settings name a collector; otherwise returns null without loading the SDK. `log` is a function because
 * the logger itself needs the traces.
 */
export async function openTraces(
  settings: TraceSettings,
  { service, version, log }: { service: string; version: string; log: () => Log },
): Promise<OpenTraces | null> {
  const { tracesEndpoint: endpoint, tracesHeaders: headers, tracesSampleRatio: sampleRatio } = settings;
  if (endpoint === undefined) return null;
  const { openOtlp } = await import('../otlp/index.ts');
  const onState = (accepting: boolean, err?: Error) =>
    accepting
      ? log().info({}, 'the trace collector accepts spans again')
      : log().warn({ err }, 'the trace collector accepts no spans; they are dropped until it does');
  const { traces, stop } = openOtlp({ endpoint, headers, sampleRatio, service, version, onState });
  const logged = () => {
    const span = traces.activeSpan();
    return span === null ? {} : { trace_id: span.traceId, span_id: span.spanId };
  };
  return { traces, logged, stop };
}
