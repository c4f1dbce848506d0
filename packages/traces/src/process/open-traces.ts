import type { Settings } from '@svc/core/settings';
import type { Traces } from '@svc/core/traces';

/** What this needs of a logger; pino's fits as it is. */
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The traces of one process. */
export interface OpenTraces {
  traces: Traces;
  /** What every line of the log holds that is written in a trace; pino's `mixin`. */
  logged: () => object;
  /** Sends what is left, within seconds; the last thing a process does. */
  stop: () => Promise<void>;
}

type TraceSettings = Pick<Settings, 'tracesEndpoint' | 'tracesHeaders' | 'tracesSampleRatio'>;

/**
 * Opens traces where the settings name a collector, else gives null, and the SDK is not even read. `log` is asked for when
 * something is to be said: the log's own lines need the traces.
 */
export async function openTraces(
  settings: TraceSettings,
  { service, version, log }: { service: string; version: string; log: () => Log },
): Promise<OpenTraces | null> {
  const { tracesEndpoint: endpoint, tracesHeaders: headers, tracesSampleRatio: sampleRatio } = settings;
  if (endpoint === undefined) return null;
  const { openOtlp } = await import('../otlp/index.ts');
  const onState = (takes: boolean, err?: Error) =>
    takes
      ? log().info({}, 'the collector of traces takes spans again')
      : log().warn({ err }, 'the collector of traces takes no spans; they are dropped until it does');
  const { traces, stop } = openOtlp({ endpoint, headers, sampleRatio, service, version, onState });
  const logged = () => {
    const span = traces.current();
    return span === null ? {} : { trace_id: span.traceId, span_id: span.spanId };
  };
  return { traces, logged, stop };
}
