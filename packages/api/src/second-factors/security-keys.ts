import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { invalid } from '@svc/core/errors';
import type { Credential } from '@svc/db/second-factors';
import type { Request } from 'express';
import type { ApiDeps } from '../http/deps.ts';
import { publicUrl } from '../http/request/public-url.ts';

const NAME = 'svc';

/** Loaded at its first use, because it is large. */
const webAuthn = () => import('@simplewebauthn/server');

export type Json = Record<string, unknown>;

interface RelyingParty {
  /** The host name that keys are bound to. */
  readonly id: string;
  readonly origin: string;
}

/** Null if the service is reached by an IP address, which keys can't be bound to. */
export function relyingParty(deps: ApiDeps, req: Request): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl(deps, req));
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null;
}

/** @throws ApiError if keys can't be bound to the address of the service */
function requireRelyingParty(deps: ApiDeps, req: Request): RelyingParty {
  const party = relyingParty(deps, req);
  if (party !== null) return party;
  throw invalid(
    { pointer: '' },
    'security keys need a host name, but the service was reached by an IP address; the operator sets SVC_PUBLIC_URL',
  );
}

const unsafe = (bytes: Uint8Array) => Uint8Array.from(bytes);

/** What the browser creates a credential with. */
export async function creationOptions(
  deps: ApiDeps,
  req: Request,
  { person, known, signed }: { person: { id: string; name: string }; known: readonly Credential[]; signed: string },
): Promise<Json> {
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: requireRelyingParty(deps, req).id,
    userName: person.name,
    userDisplayName: person.name,
    userID: unsafe(Buffer.from(person.id)),
    challenge: unsafe(Buffer.from(signed, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return options as unknown as Json;
}

/** The credential that a browser has created; null if it isn't for this service or this enrolment. */
export async function createdCredential(
  deps: ApiDeps,
  req: Request,
  { credential, signed }: { credential: Json; signed: string },
): Promise<Credential | null> {
  const { id: expectedRPID, origin: expectedOrigin } = requireRelyingParty(deps, req);
  const { verifyRegistrationResponse } = await webAuthn();
  const response = credential as unknown as RegistrationResponseJSON;
  const options = { response, expectedChallenge: signed, expectedOrigin, expectedRPID, requireUserVerification: false };
  // It throws for each kind of unexpected content.
  const result = await verifyRegistrationResponse(options).catch(() => null);
  if (!result?.verified) return null;
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { id, publicKey, counter, transports: transports.filter((transport) => /^[a-z-]{1,32}$/.test(transport)) };
}

/** What the browser signs a challenge with; null without keys, or if the service has no host name. */
export async function requestOptions(
  deps: ApiDeps,
  req: Request,
  { known, signed }: { known: readonly Credential[]; signed: string },
): Promise<Json | null> {
  const party = relyingParty(deps, req);
  if (known.length === 0 || party === null) return null;
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: unsafe(Buffer.from(signed, 'base64url')),
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'preferred',
  });
  return options as unknown as Json;
}

/** The new counter of the key that signed the challenge; null if it isn't this key, service or challenge, or the key was copied. */
export async function assertedCounter(
  deps: ApiDeps,
  req: Request,
  { assertion, credential, signed }: { assertion: Json; credential: Credential; signed: string },
): Promise<number | null> {
  const party = relyingParty(deps, req);
  if (party === null || assertion['id'] !== credential.id) return null;
  const { verifyAuthenticationResponse } = await webAuthn();
  const result = await verifyAuthenticationResponse({
    response: assertion as unknown as AuthenticationResponseJSON,
    expectedChallenge: signed,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential,
    requireUserVerification: false,
  }).catch(() => null);
  return result?.verified ? result.authenticationInfo.newCounter : null;
}
