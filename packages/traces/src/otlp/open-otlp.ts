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
import { HeldTurns } from './turns.ts';

export interface OtlpOptions {
  /** Where OTLP over HTTP takes spans, such as http://127.0.0.1:4318/v1/traces. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Of the traces that begin here, from 0 to 1; one that a request brings is told as its beginner decided. */
  sampleRatio: number;
  /** Such as svc-server. */
  service: string;
  version: string;
  /** Told when the collector stops taking spans, and when it takes them again. */
  onState: (takes: boolean, error?: Error) => void;
}

export interface OtlpTraces {
  traces: Traces;
  /** Sends what is left, for no longer than `STOP_MS`. */
  stop: () => Promise<void>;
}

/** Spans kept while the collector does not answer; what comes on top of them is dropped, so that memory stays bounded. */
const MOST_KEPT = 4096;
const DELAY_MS = 2000;
const TIMEOUT_MS = 5000;
const STOP_MS = 5000;

/** Spans by the OpenTelemetry SDK, sent in batches beside the work. Nothing waits for the collector but the stop. */
export function openOtlp(options: OtlpOptions): OtlpTraces {
  const { endpoint: url, headers, service, version, sampleRatio } = options;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: TIMEOUT_MS,
    concurrencyLimit: 4,
  });
  const batches = new BatchSpanProcessor({
    exporter: telling(exporter, options.onState),
    maxQueueSize: MOST_KEPT,
    maxExportBatchSize: 512,
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  const turns = new HeldTurns(batches);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: 1024 },
    spanProcessors: [turns],
  });
  return {
    traces: new OtlpSpans(provider.getTracer('svc', version), turns),
    stop: () => within(STOP_MS, provider.shutdown()),
  };
}

const SUCCESS = 0;

/** Tells changes only: a collector that is away for a night is told of once. */
function telling(exporter: SpanExporter, onState: OtlpOptions['onState']): SpanExporter {
  let takes = true;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = result.code === SUCCESS;
        if (now !== takes) onState(now, result.error);
        takes = now;
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
  // What fails here has been told by the exporter.
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
