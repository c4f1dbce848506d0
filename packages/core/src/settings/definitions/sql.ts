import * as z from 'zod';
import { hostAndPort } from '../parsers/addresses.ts';
import { whole } from '../parsers/basic.ts';
import type { Setting } from '../setting.ts';

const DEFAULT_LISTEN = '127.0.0.1:8471';

/** Null turns the endpoint off. `byDefault`: nobody chose the address, so the service also starts if it is taken. */
const listen = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === '') return null;
    const address = hostAndPort.safeParse(text ?? DEFAULT_LISTEN);
    if (address.success) return { ...address.data, byDefault: text === undefined };
    context.addIssue({ code: 'custom', message: `must be host:port, such as ${DEFAULT_LISTEN}, or empty` });
    return z.NEVER;
  });

const pem = (label: RegExp, what: string) =>
  z
    .string()
    .refine((text) => label.test(text), `must be ${what} in PEM format`)
    .optional();

/** The endpoint for clients of the PostgreSQL protocol. */
export const sqlSettings = {
  sqlListen: {
    name: 'SVC_SQL__LISTEN',
    read: listen,
    meaning: 'Address on which clients of the PostgreSQL protocol connect; empty: none',
    byDefault: DEFAULT_LISTEN,
  },
  sqlPublicAddress: {
    name: 'SVC_SQL__PUBLIC_ADDRESS',
    read: hostAndPort.optional(),
    meaning: 'Address that these clients use to reach the service, such as that of a load balancer',
    byDefault: 'host of SVC_PUBLIC_URL, port of SVC_SQL__LISTEN',
  },
  sqlTlsCert: {
    name: 'SVC_SQL__TLS_CERT',
    read: pem(/-----BEGIN CERTIFICATE-----/, 'a certificate'),
    meaning: 'TLS certificate for these clients, and the certificates that lead to its root, in PEM format',
    byDefault: 'none: only clients on the same machine can connect',
  },
  sqlTlsKey: {
    name: 'SVC_SQL__TLS_KEY',
    read: pem(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'),
    meaning: 'Private key of the certificate, in PEM format',
    byDefault: 'none',
    secret: true,
  },
  sqlConnections: {
    name: 'SVC_SQL__CONNECTIONS',
    read: whole(1, 100_000, 500),
    meaning: 'Maximum number of these connections',
    byDefault: '500',
  },
  sqlConnectionsPerPrincipal: {
    name: 'SVC_SQL__CONNECTIONS_PER_PRINCIPAL',
    read: whole(1, 100_000, 100),
    meaning: 'Maximum number of these connections of one principal',
    byDefault: '100',
  },
  sqlIdleSeconds: {
    name: 'SVC_SQL__IDLE_SECONDS',
    read: whole(0, 604_800, 28_800),
    meaning: 'Seconds without a message after which such a connection is closed; 0: never',
    byDefault: '28800',
  },
} as const satisfies Record<string, Setting>;
