import * as z from 'zod';
import { hostAndPort, nat64Prefixes, networks, url } from '../parsers/addresses.ts';
import { text, whole } from '../parsers/basic.ts';
import { headers } from '../parsers/headers.ts';
import type { Setting } from '../setting.ts';

const ratio = z
  .string()
  .default('1')
  .refine((value) => /^(0|1|[01]?\.\d{1,9})$/.test(value) && Number(value) <= 1, 'must be a number from 0 to 1')
  .transform(Number);

/** Limits on requests, traces and logs. */
export const operationsSettings = {
  requestsPerMinute: {
    name: 'SVC_LIMITS__REQUESTS_PER_MINUTE',
    read: whole(0, 1_000_000, 0),
    meaning: 'Maximum number of requests per token and minute; 0: no limit',
    byDefault: '0',
  },
  unauthenticatedPerMinute: {
    name: 'SVC_LIMITS__UNAUTHENTICATED_PER_MINUTE',
    read: whole(0, 1_000_000, 6000),
    meaning:
      'Maximum number of sign-ins and other requests to routes without a token, per client address, minute and server; 0: no limit',
    byDefault: '6000',
  },
  metricsListen: {
    name: 'SVC_METRICS__LISTEN',
    read: hostAndPort.optional(),
    meaning: 'Address where the server serves /metrics, such as 127.0.0.1:9465, instead of on SVC_LISTEN',
    byDefault: 'on SVC_LISTEN',
  },
  metricsToken: {
    name: 'SVC_METRICS__TOKEN',
    read: text(),
    meaning: 'Token that /metrics of servers and workers requires, in the header Authorization: Bearer',
    byDefault: 'unset: none',
    secret: true,
  },
  connections: {
    name: 'SVC_LIMITS__CONNECTIONS',
    read: whole(0, 1_000_000, 10_000),
    meaning: 'Maximum number of open connections of a server; further ones are closed; 0: no limit',
    byDefault: '10000',
  },
  nat64Prefixes: {
    name: 'SVC_NETWORK__NAT64_PREFIXES',
    read: nat64Prefixes,
    meaning:
      'IPv6 prefixes with which your network translates IPv4 addresses, so that outgoing requests are checked by the IPv4 address; 64:ff9b::/96 is known',
    byDefault: 'none',
  },
  trustedProxies: {
    name: 'SVC_LIMITS__TRUSTED_PROXIES',
    read: networks,
    meaning:
      'Addresses and CIDRs of proxies whose X-Forwarded-For header is trusted when sign-ins are limited by address, separated by commas',
    byDefault: 'none',
  },
  tracesEndpoint: {
    name: 'SVC_TRACES__ENDPOINT',
    read: url('http', 'https'),
    meaning: 'URL of a collector that accepts spans as OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces',
    byDefault: 'none: no traces',
    // The URL may contain a password.
    secret: true,
  },
  tracesHeaders: {
    name: 'SVC_TRACES__HEADERS',
    read: headers,
    meaning: 'Headers for the collector, such as an API key: name=value, separated by commas',
    byDefault: 'none',
    secret: true,
  },
  tracesSampleRatio: {
    name: 'SVC_TRACES__SAMPLE_RATIO',
    read: ratio,
    meaning: 'Sampling ratio for traces that start in svc, from 0 (none) to 1 (all)',
    byDefault: '1',
  },
  logLevel: {
    name: 'SVC_LOG__LEVEL',
    read: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
        error: 'must be trace, debug, info, warn, error or fatal',
      })
      .default('info'),
    meaning: 'Minimum level of log lines',
    byDefault: 'info',
  },
} as const satisfies Record<string, Setting>;
