import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { openBrowser } from './browser.ts';
import { CLIENT } from './client.ts';

/** A certified OpenID provider on this machine. */
export interface TestIdentityProvider {
  readonly issuer: string;
  /** Claims by subject; tests change them. */
  readonly accounts: Map<string, Record<string, unknown>>;
  /** Replaces the key that signs tokens. */
  rotateKey: () => Promise<void>;
  /** Signs in as `subject` at an address of the provider, or cancels; returns the address that it leads to. */
  answer: (address: string, subject: string | null) => Promise<string>;
  /** Completes the sign-in of a device at its page as `subject`, or declines it. */
  approve: (page: string, subject: string | null) => Promise<void>;
  stop: () => Promise<void>;
}

interface ProviderOptions {
  /** Whether devices can sign in (default: yes). */
  hasDevices?: boolean;
  /** Addresses that it may lead back to. */
  redirectUris: readonly string[];
  /** Its host name, for browsers another site than 127.0.0.1 (default: that address). */
  host?: 'localhost';
  /** Whether ID tokens contain all claims; otherwise only userinfo does. */
  claimsInToken?: boolean;
}

/** Starts a provider without accounts. Its page has a form for the subject to sign in as, without a password. */
export async function startIdentityProvider(options: ProviderOptions): Promise<TestIdentityProvider> {
  const accounts = new Map<string, Record<string, unknown>>();
  const adapter = memoryAdapter();
  let current: { provider: Provider; handle: ReturnType<Provider['callback']> };
  const server = createServer((req, res) => {
    const isInteraction = req.url!.startsWith('/interaction/');
    void (isInteraction ? interact(current.provider, req, res) : current.handle(req, res));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  const rotateKey = async () => {
    const provider = new Provider(issuer, configuration(options, { accounts, adapter, key: await newKey() }));
    current = { provider, handle: provider.callback() };
  };
  await rotateKey();
  return { issuer, accounts, rotateKey, answer, approve, stop: () => close(server) };
}

export async function newKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

export function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

/** Pages with nothing but their form. */
const DEVICE_FLOW: NonNullable<NonNullable<Configuration['features']>['deviceFlow']> = {
  enabled: true,
  async userCodeInputSource(ctx, form) {
    ctx.body = form;
  },
  async userCodeConfirmSource(ctx, form) {
    ctx.body = form;
  },
  async successSource(ctx) {
    ctx.body = 'done';
  },
};

function configuration(
  { redirectUris, claimsInToken = false, hasDevices = true }: ProviderOptions,
  {
    accounts,
    adapter,
    key,
  }: { accounts: TestIdentityProvider['accounts']; adapter: Configuration['adapter']; key: JWK },
): Configuration {
  const grants = ['authorization_code', ...(hasDevices ? ['urn:ietf:params:oauth:grant-type:device_code'] : [])];
  return {
    adapter,
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key for tests'] },
    clients: [CLIENT, { client_id: 'public', token_endpoint_auth_method: 'none' as const }].map((client) => ({
      ...client,
      redirect_uris: [...redirectUris],
      grant_types: grants,
      response_types: ['code' as const],
    })),
    conformIdTokenClaims: !claimsInToken,
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups', 'realm_access', '_claim_names'],
    },
    features: { devInteractions: { enabled: false }, deviceFlow: hasDevices ? DEVICE_FLOW : { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    // Without a page for consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Grant: 600,
      Interaction: 600,
      Session: 600,
      DeviceCode: 600,
    },
  };
}

/** Shows a form for the subject; the answer of the form signs in, or cancels without a subject. */
async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === 'GET') {
    const form = '<form method="post"><label>Subject <input name="subject"></label><button>Continue</button></form>';
    res.setHeader('content-type', 'text/html').end(`<!doctype html><title>Provider</title>${form}`);
    return;
  }
  let body = '';
  for await (const chunk of req) body += String(chunk);
  const accountId = new URLSearchParams(body).get('subject');
  const result = accountId ? { login: { accountId } } : { error: 'access_denied', error_description: 'cancelled' };
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

/** Follows the redirects of the provider like a browser, with its cookies. */
async function answer(address: string, subject: string | null): Promise<string> {
  const { origin } = new URL(address);
  const send = openBrowser();
  let url = address;
  for (let hops = 0; hops < 10; hops++) {
    const page = await send(url);
    if (page.location === null && !url.includes('/interaction/')) throw new Error(page.text);
    url = page.location ?? (await send(url, { subject: subject ?? '' })).location!;
    if (new URL(url).origin !== origin) return url;
  }
  throw new Error(`the provider redirects without end: ${url}`);
}

async function approve(address: string, subject: string | null): Promise<void> {
  const send = openBrowser();
  const fieldsOf = (text: string) => [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]);
  const confirmation = await send(address);
  // The page submits itself with the code, and then shows a form to confirm it.
  const code = Object.fromEntries(fieldsOf(confirmation.text));
  const form = await send(address.split('?')[0]!, code);
  const confirmed = { ...Object.fromEntries(fieldsOf(form.text)), confirm: 'yes' };
  let { location } = await send(address.split('?')[0]!, confirmed);
  for (let hops = 0; location !== null && hops < 10; hops++) {
    const url = location;
    const page = await send(url);
    location =
      page.location ?? (url.includes('/interaction/') ? (await send(url, { subject: subject ?? '' })).location : null);
  }
}

/** Keeps everything in memory, for one provider. */
function memoryAdapter(): new (name: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  const byUid = new Map<string, string>();
  const byUserCode = new Map<string, string>();
  return class implements Adapter {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    #key = (id: string) => `${this.#name}:${id}`;
    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      if (payload.uid !== undefined) byUid.set(payload.uid, id);
      if (payload.userCode !== undefined) byUserCode.set(payload.userCode, id);
      stored.set(this.#key(id), payload);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      return stored.get(this.#key(id));
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.find(byUid.get(uid) ?? '');
    }
    async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
      return this.find(byUserCode.get(code) ?? '');
    }
    async consume(id: string): Promise<void> {
      const payload = stored.get(this.#key(id));
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string): Promise<void> {
      stored.delete(this.#key(id));
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    }
  };
}
