import { randomUUID } from 'node:crypto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Traces } from '@svc/core/traces';
import { OtlpSpans } from './spans.ts';
import { TickBuffer } from './tick-buffer.ts';

export interface OtlpOptions {
  /** The collector's address for OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Share of the traces that start here, from 0 to 1. A trace from a request keeps the decision of its origin. */
  sampleRatio: number;
  /** Name of the service, such as svc-server. */
  service: string;
  version: string;
  /** Called when the collector stops accepting spans, and when it accepts them again. */
  onState: (accepting: boolean, error?: Error) => void;
}

export interface OtlpTraces {
  traces: Traces;
  /** Sends the remaining spans, for at most `STOP_MS`. */
  stop: () => Promise<void>;
}

/** Spans queued while the collector doesn't respond. Further ones are dropped, so that memory stays bounded. */
const MAX_QUEUED = 4096;
const DELAY_MS = 2000;
const TIMEOUT_MS = 5000;
const STOP_MS = 5000;

/** Exports spans in batches through the OpenTelemetry SDK. Only `stop` waits for the collector. */
export function openOtlp(options: OtlpOptions): OtlpTraces {
  const { endpoint: url, headers, service, version, sampleRatio } = options;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: TIMEOUT_MS,
    concurrencyLimit: 4,
  });
  const batches = new BatchSpanProcessor({
    exporter: reportingState(exporter, options.onState),
    maxQueueSize: MAX_QUEUED,
    maxExportBatchSize: 512,
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  const ticks = new TickBuffer(batches);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: 1024 },
    spanProcessors: [ticks],
  });
  return {
    traces: new OtlpSpans(provider.getTracer('svc', version), ticks),
    stop: () => within(STOP_MS, provider.shutdown()),
  };
}

const SUCCESS = 0;

/** Reports changes only, so that an outage of hours is logged once. */
function reportingState(exporter: SpanExporter, onState: OtlpOptions['onState']): SpanExporter {
  let accepting = true;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = result.code === SUCCESS;
        if (now !== accepting) onState(now, result.error);
        accepting = now;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // The exporter has already reported the failure.
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
