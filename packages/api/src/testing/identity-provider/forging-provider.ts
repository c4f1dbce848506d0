import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, importJWK, SignJWT } from 'jose';
import { close, newKey } from './certified-provider.ts';

/** What the token endpoint returns: claims to sign, or a whole token. */
type Forged = Record<string, unknown> | string;

/** A provider that signs whatever a test wants. */
export interface ForgingProvider {
  readonly issuer: string;
  /** Makes the ID token of the next sign-in, from the nonce that it must have; on a device it has none. */
  forge: (nonce: string) => Forged | Promise<Forged>;
  /** Signs claims with the published key, or with another one under its id. */
  sign: (claims: Record<string, unknown>, options?: { ownKey?: boolean }) => Promise<string>;
  /** How often its keys were fetched. */
  keyRequests: number;
  /** Whether its keys can be fetched. */
  hasKeys: boolean;
  stop: () => Promise<void>;
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const jwk = await newKey();
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicKey } = jwk;
  const { privateKey: another } = await generateKeyPair('RS256');
  const server = createServer(async (req, res) => {
    const send = (body: unknown) => res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    switch (new URL(req.url!, provider.issuer).pathname) {
      case '/.well-known/openid-configuration':
        return send({
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/auth`,
          token_endpoint: `${provider.issuer}/token`,
          device_authorization_endpoint: `${provider.issuer}/device`,
          jwks_uri: `${provider.issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        });
      case '/jwks':
        provider.keyRequests++;
        if (provider.hasKeys) return send({ keys: [publicKey] });
        return res.writeHead(503).end();
      case '/device':
        return send({
          ...{ device_code: 'device', user_code: 'CODE', verification_uri: `${provider.issuer}/enter` },
          ...{ expires_in: 600, interval: 1 },
        });
      default: {
        let body = '';
        for await (const chunk of req) body += String(chunk);
        // A test passes the nonce as the code.
        const forged = await provider.forge(new URLSearchParams(body).get('code') ?? '');
        const token = typeof forged === 'string' ? forged : await provider.sign(forged);
        return send({ access_token: 'a', token_type: 'Bearer', id_token: token });
      }
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const provider: ForgingProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forge: () => '',
    keyRequests: 0,
    hasKeys: true,
    async sign(claims, { ownKey = true } = {}) {
      const key = ownKey ? await importJWK(jwk, 'RS256') : another;
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: jwk.kid }).sign(key);
    },
    stop: () => close(server),
  };
  return provider;
}
