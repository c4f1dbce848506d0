import { isStorable } from '@svc/core/contract';
import { type IdentityClaims, type RefusalReason, readClaims } from '@svc/core/identity-providers';
import type { StoredProvider } from '@svc/db/identity-providers';
import { createRemoteJWKSet, errors, type JWTPayload, customFetch as jwksFetch, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type GuardedFetch, ProviderUnavailableError } from './guarded-fetch.ts';
import { RefusedSignInError } from './refused-sign-in.ts';

/** How far the clocks of the service and of a provider may differ. */
const TOLERANCE_S = 30;
const DISCOVERY_MS = 3_600_000;
const WORKLOAD_COOLDOWN_MS = 30_000;
/** Tokens of workloads are fresh. A stolen one that never expires is useless after a day. */
const WORKLOAD_MAX_AGE = '24h';
const TIMEOUT_S = 15;
/** A secret that both sides know signs nothing here: it would be the client's secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

type Provider = Pick<StoredProvider, 'issuer' | 'client_id' | 'scopes' | 'groups_claim'>;

interface Discovered {
  readonly at: number;
  readonly metadata: Promise<oidc.ServerMetadata>;
  readonly keys: Promise<Keys>;
  /** The same keys for tokens that anyone can send: unknown ones are looked up at most twice a minute. */
  readonly workloadKeys: Promise<Keys>;
}

/** What the start of a sign-in must remember until the provider answers. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Clients of identity providers. What a provider publishes about itself is fetched when it is needed, and cached. */
export class ProviderClients {
  readonly #clock: () => Date;
  readonly #fetch: GuardedFetch;
  readonly #discovered = new Map<string, Discovered>();

  constructor({ clock, fetch }: { clock: () => Date; fetch: GuardedFetch }) {
    this.#clock = clock;
    this.#fetch = fetch;
  }

  /** The address of the provider that starts a sign-in. @throws RefusedSignInError */
  async authorizationUrl(
    provider: Provider,
    secret: string | null,
    { state, nonce, verifier, redirectUri }: Checks & { redirectUri: string },
  ): Promise<URL> {
    return this.#attempt(async () => {
      const { config } = await this.#open(provider, secret);
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: provider.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    });
  }

  /** The person who signed in, according to the provider's answer at `callback`. @throws RefusedSignInError */
  async exchangeCode(
    provider: Provider,
    secret: string | null,
    { state, nonce, verifier, callback }: Checks & { callback: URL },
  ): Promise<IdentityClaims> {
    return this.#attempt(async () => {
      const { config, keys } = await this.#open(provider, secret);
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      return this.#claims(provider, { config, keys, tokens });
    });
  }

  /** Starts a sign-in that a person completes on any device. @throws RefusedSignInError */
  async startDevice(provider: Provider, secret: string | null): Promise<oidc.DeviceAuthorizationResponse> {
    return this.#attempt(async () => {
      // Dex looks for the secret in the form only, and accepts a request without it that no sign-in can then complete.
      const { config } = await this.#open(provider, secret, 'client_secret_post');
      if (config.serverMetadata().device_authorization_endpoint === undefined)
        throw new RefusedSignInError('device-unsupported');
      const scope = provider.scopes.join(' ');
      return oidc.initiateDeviceAuthorization(config, { scope }).catch((error: unknown) => {
        const isForbidden = error instanceof oidc.ResponseBodyError && error.error === 'unauthorized_client';
        throw isForbidden ? new RefusedSignInError('device-unsupported', { cause: error }) : error;
      });
    });
  }

  /** The person who signed in, or that nobody did yet. @throws RefusedSignInError */
  async pollDevice(
    provider: Provider,
    secret: string | null,
    deviceCode: string,
  ): Promise<IdentityClaims | 'pending' | 'slow_down'> {
    return this.#attempt(async () => {
      const { config, keys } = await this.#open(provider, secret);
      const tokens = await oidc
        .genericGrantRequest(config, DEVICE_GRANT, { device_code: deviceCode })
        .catch((error: unknown) => {
          if (!(error instanceof oidc.ResponseBodyError)) throw error;
          if (error.error === 'authorization_pending') return 'pending' as const;
          if (error.error === 'slow_down') return 'slow_down' as const;
          const reason = DEVICE_REASONS[error.error] ?? 'code-rejected';
          throw new RefusedSignInError(reason, { cause: error });
        });
      return typeof tokens === 'string' ? tokens : this.#claims(provider, { config, keys, tokens });
    });
  }

  /** The verified claims of a token that a workload got from an issuer. @throws RefusedSignInError */
  async verifyWorkload(issuer: string, token: string, audiences: readonly string[]): Promise<JWTPayload> {
    return this.#attempt(async () => {
      const { payload } = await jwtVerify(token, await this.#discover(issuer).workloadKeys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'iat', 'exp'],
        maxTokenAge: WORKLOAD_MAX_AGE,
        clockTolerance: TOLERANCE_S,
        currentDate: this.#clock(),
      });
      return payload;
    });
  }

  /** Verifies the ID token with the keys of the provider, and adds what its userinfo endpoint says. */
  async #claims(
    provider: Provider,
    { config, keys, tokens }: { config: oidc.Configuration; keys: Keys; tokens: oidc.TokenEndpointResponse },
  ): Promise<IdentityClaims> {
    const { issuer, userinfo_endpoint: userinfo } = config.serverMetadata();
    const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
      issuer,
      audience: provider.client_id,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp'],
      clockTolerance: TOLERANCE_S,
      currentDate: this.#clock(),
    });
    const { sub, azp } = payload;
    const isSubject = typeof sub === 'string' && sub !== '' && sub.length <= 255 && isStorable(sub);
    if (!isSubject || (azp ?? provider.client_id) !== provider.client_id) throw new RefusedSignInError('token-invalid');
    const more = userinfo === undefined ? null : await oidc.fetchUserInfo(config, tokens.access_token, sub);
    const claims = readClaims(payload, more, provider.groups_claim);
    if (claims === null) throw new RefusedSignInError('groups-left-out');
    return claims;
  }

  async #open(
    provider: Provider,
    secret: string | null,
    preferred: SecretMethod = 'client_secret_basic',
  ): Promise<{ config: oidc.Configuration; keys: Keys }> {
    const { metadata, keys } = this.#discover(provider.issuer);
    const auth = authOf(secret, preferred);
    const config = new oidc.Configuration(await metadata, provider.client_id, this.#clientMetadata(), auth);
    return { config: this.#prepare(config, provider.issuer), keys: await keys };
  }

  /** openid-client reads the system's clock, which the service's own may differ from. */
  #clientMetadata() {
    const skew = Math.round((this.#clock().getTime() - Date.now()) / 1000);
    return { [oidc.clockSkew]: skew, [oidc.clockTolerance]: TOLERANCE_S };
  }

  #prepare(config: oidc.Configuration, issuer: string): oidc.Configuration {
    config[oidc.customFetch] = this.#fetch as oidc.CustomFetch;
    config.timeout = TIMEOUT_S;
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
    return config;
  }

  #discover(issuer: string): Discovered {
    const now = this.#clock().getTime();
    const known = this.#discovered.get(issuer);
    if (known !== undefined && Math.abs(now - known.at) < DISCOVERY_MS) return known;
    const metadata = this.#fetchMetadata(issuer);
    const keysWith = (cooldownDuration: number) =>
      metadata.then(({ jwks_uri: uri }) => {
        if (uri === undefined) throw new ProviderUnavailableError(`${issuer} publishes no keys (jwks_uri)`);
        return createRemoteJWKSet(new URL(uri), { [jwksFetch]: this.#fetch, cooldownDuration });
      });
    // A key that isn't known yet is looked up at once: tokens come from the provider itself, one for each sign-in.
    const keys = keysWith(0);
    const workloadKeys = keysWith(WORKLOAD_COOLDOWN_MS);
    workloadKeys.catch(() => undefined);
    const discovered = { at: now, metadata, keys, workloadKeys };
    this.#discovered.set(issuer, discovered);
    // A failure isn't remembered, but while it is pending all sign-ins wait for the same request.
    keys.catch(() => {
      if (this.#discovered.get(issuer) === discovered) this.#discovered.delete(issuer);
    });
    return discovered;
  }

  async #fetchMetadata(issuer: string): Promise<oidc.ServerMetadata> {
    try {
      const discovered = await oidc.discovery(new URL(issuer), 'svc', undefined, oidc.None(), {
        [oidc.customFetch]: this.#fetch as oidc.CustomFetch,
        timeout: TIMEOUT_S,
        ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
      });
      return discovered.serverMetadata();
    } catch (error) {
      throw new ProviderUnavailableError(`the discovery document of ${issuer} can't be used`, { cause: error });
    }
  }

  async #attempt<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof RefusedSignInError) throw error;
      throw new RefusedSignInError(reasonOf(error), { cause: error });
    }
  }
}

type Keys = ReturnType<typeof createRemoteJWKSet>;

type SecretMethod = 'client_secret_basic' | 'client_secret_post';

/** The preferred way if the provider accepts it, or else the other one. Without a list, it accepts the default of the specification. */
function authOf(secret: string | null, preferred: SecretMethod): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const ways = {
    client_secret_basic: oidc.ClientSecretBasic(secret),
    client_secret_post: oidc.ClientSecretPost(secret),
  };
  const other = preferred === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return ways[accepted.includes(preferred) ? preferred : other](server, ...rest);
  };
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEVICE_REASONS: Readonly<Record<string, RefusalReason>> = {
  access_denied: 'cancelled',
  expired_token: 'expired',
};

/** Errors of the authorization endpoint that say that somebody declined. */
const DECLINED = new Set(['access_denied', 'consent_required', 'interaction_required', 'login_required']);

function reasonOf(error: unknown): RefusalReason {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderUnavailableError) return 'provider-unavailable';
  if (error instanceof oidc.AuthorizationResponseError)
    return DECLINED.has(error.error) ? 'cancelled' : 'response-invalid';
  if (error instanceof oidc.ResponseBodyError) return 'code-rejected';
  if (error instanceof errors.JWKSTimeout) return 'provider-unavailable';
  return 'token-invalid';
}
