import { DOTS } from './own-location.ts';

/** A request that an engine wants to send to a bucket, in the form of the catalog protocol. */
export interface UnsignedRequest {
  readonly method: string;
  readonly uri: string;
  readonly region: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The body of a request that removes several objects. */
  readonly body?: string | null | undefined;
}

export interface SignedRequest {
  readonly uri: string;
  /** Headers for the client to add to its own. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** The targets of a request: files in the store's canonical form; for a listing, the folder with a trailing slash. */
export interface RequestedObjects {
  readonly access: 'read' | 'write' | 'remove';
  readonly locations: readonly string[];
}

/** Signs requests to the store for engines without a key of their own. */
export interface RequestSigner {
  /** The connection properties of the bucket, named as in Iceberg's clients. */
  readonly properties: Readonly<Record<string, string>>;
  /** @throws UnsignableRequestError */
  read(request: UnsignedRequest): RequestedObjects;
  /** Signs a request that `read` accepted; valid for 15 minutes from `now`. @throws UnsignableRequestError */
  sign(request: UnsignedRequest, now: Date): Promise<SignedRequest>;
}

/** A request that can't be signed for anyone, with the reason. */
export class UnsignableRequestError extends Error {
  override readonly name = 'UnsignableRequestError';
}

export interface RequestParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  readonly method: string;
  /** As signed: each segment is escaped once. */
  readonly path: string;
  readonly query: Record<string, string>;
  /** True for requests that create a whole new object. */
  readonly creates: boolean;
}

export interface ReadRequest {
  readonly objects: RequestedObjects;
  readonly parts: RequestParts;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | null;
}

interface BucketLocation {
  readonly bucket: string;
  readonly endpoint: string | null;
}

/** Endpoints of AWS, but not names in which `s3-…` is a bucket. */
const AWS_HOST =
  /^s3(?:-fips|-accelerate)?(?:\.dualstack)?(?:[.-](?:external-1|[a-z]{2}(?:-[a-z]+)+-\d{1,2}))?\.amazonaws\.com(?:\.cn)?$/;
/** Headers of the store that don't affect permissions, other objects or other buckets. */
const HARMLESS = new Set([
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
  'x-amz-decoded-content-length',
  'x-amz-user-agent',
  'x-amz-te',
  'x-amz-storage-class',
]);
const HARMLESS_PREFIXES = ['x-amz-checksum-', 'x-amz-meta-', 'x-amz-server-side-encryption'];
const isHarmless = (header: string): boolean =>
  HARMLESS.has(header) || HARMLESS_PREFIXES.some((prefix) => header.startsWith(prefix));
const LISTING = ['list-type', 'prefix', 'delimiter', 'max-keys', 'continuation-token', 'start-after', 'encoding-type'];
const LISTED = [...LISTING, 'fetch-owner', 'marker', 'x-id'];

const reject = (reason: string): never => {
  throw new UnsignableRequestError(`The request can't be signed: ${reason}.`);
};

/** Parses a request and determines which objects it accesses. @throws UnsignableRequestError */
export function readRequest(request: UnsignedRequest, target: BucketLocation): ReadRequest {
  const match = /^(https?):\/\/([^/?#@\\]+)(\/[^?#]*)?(?:\?([^#]*))?$/i.exec(request.uri);
  if (match === null) return reject("its URL isn't the http URL of an object");
  const [, scheme = '', host = '', rawPath = '/', rawQuery = ''] = match;
  const { hostname, port, style } = hostOf(scheme, host, target);
  const path = unescaped(rawPath.slice(1));
  const key = style === 'host' ? path : withoutBucket(path, target.bucket);
  if (DOTS.test(key) || /[\0\\]/.test(key)) reject('its URL has dot segments, backslashes or NUL characters');
  const query = queryOf(rawQuery);
  const headers = headersOf(request.headers);
  const { objects, creates, body } = objectsOf({ ...request, query, key, bucket: target.bucket });
  return {
    objects,
    headers,
    body,
    parts: {
      protocol: `${scheme.toLowerCase()}:`,
      hostname,
      port,
      method: request.method,
      path: `/${path.split('/').map(escaped).join('/')}`,
      query,
      creates,
    },
  };
}

/** @throws UnsignableRequestError for a server other than the store's */
function hostOf(scheme: string, host: string, { bucket, endpoint }: BucketLocation) {
  const address = `${scheme}://${host}`;
  const { hostname, port: text } = URL.canParse(address) ? new URL(address) : reject(`${host} isn't a valid host`);
  const port = text === '' ? undefined : Number(text);
  const own = endpoint === null ? null : new URL(endpoint);
  const isStore = (name: string) =>
    own === null
      ? scheme.toLowerCase() === 'https' && port === undefined && AWS_HOST.test(name)
      : name === own.hostname && text === own.port && `${scheme.toLowerCase()}:` === own.protocol;
  if (isStore(hostname)) return { hostname, port, style: 'path' as const };
  const virtual = hostname.startsWith(`${bucket}.`) && isStore(hostname.slice(bucket.length + 1));
  return virtual ? { hostname, port, style: 'host' as const } : reject(`${host} isn't the host of the warehouse`);
}

function withoutBucket(path: string, bucket: string): string {
  if (path === bucket) return '';
  return path.startsWith(`${bucket}/`) ? path.slice(bucket.length + 1) : reject('it refers to another bucket');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return reject("its URL isn't percent-encoded UTF-8");
  }
}

const escaped = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function queryOf(raw: string): Record<string, string> {
  const pairs = raw
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split(/=(.*)/s, 2).map((text) => unescaped(text.replaceAll('+', ' '))));
  const names = pairs.map(([name]) => name!);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) reject(`the parameter ${twice} appears twice`);
  return Object.fromEntries(pairs.map(([name, value = '']) => [name!, value]));
}

function headersOf(unsigned: UnsignedRequest['headers']): Map<string, string> {
  const headers = new Map(
    Object.entries(unsigned).map(([name, values]) => [name.toLowerCase(), values.join(',').trim()]),
  );
  for (const name of headers.keys())
    if (name.startsWith('x-amz-') && !isHarmless(name)) reject(`the header ${name} isn't allowed`);
  return headers;
}

type Form = {
  method: string;
  query: Record<string, string>;
  key: string;
  bucket: string;
  body?: string | null | undefined;
};
type Requested = { objects: RequestedObjects; creates: boolean; body: string | null };

function objectsOf(form: Form): Requested {
  const { method, key, bucket, query } = form;
  const access = key === '' ? accessOfBucket(form) : accessOfObject(form);
  const at = (name: string) => `s3://${bucket}/${name}`;
  if (access === 'several') {
    const { body, keys } = namedInBody(form);
    return { objects: { access: 'remove', locations: keys.map(at) }, creates: false, body };
  }
  if (access === 'list') {
    const prefix = query['prefix'] ?? '';
    if (DOTS.test(prefix) || !prefix.includes('/')) reject("a list request needs a prefix in the table's folder");
    return { objects: { access: 'read', locations: [at(prefix)] }, creates: false, body: null };
  }
  const whole = method === 'PUT' ? !('partNumber' in query) : method === 'POST' && 'uploadId' in query;
  return { objects: { access, locations: [at(key)] }, creates: access === 'write' && whole, body: null };
}

const hasOnly = (query: Record<string, string>, ...names: string[]): boolean =>
  Object.keys(query).every((name) => name === 'x-id' || names.includes(name));

function accessOfBucket({ method, query }: Form): 'list' | 'several' {
  if (method === 'GET' && hasOnly(query, ...LISTED)) return 'list';
  if (method === 'POST' && 'delete' in query && hasOnly(query, 'delete')) return 'several';
  return reject(`engines can't send ${method} to the bucket itself`);
}

function accessOfObject({ method, query }: Form): RequestedObjects['access'] {
  const one = hasOnly(query);
  const part = 'uploadId' in query && hasOnly(query, 'uploadId', 'partNumber');
  if ((method === 'GET' || method === 'HEAD') && hasOnly(query, 'partNumber')) return 'read';
  if (method === 'PUT' && (one || (part && 'partNumber' in query))) return 'write';
  if (method === 'POST' && (part || ('uploads' in query && hasOnly(query, 'uploads')))) return 'write';
  // Parts that aren't assembled yet belong to no file.
  if (method === 'DELETE' && part) return 'write';
  if (method === 'DELETE' && one) return 'remove';
  return reject(`engines can't send ${method} with the parameters ${Object.keys(query).join(', ') || 'none'}`);
}

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

const REMOVAL =
  /^\s*(?:<\?xml [^<>]*\?>\s*)?<Delete(?: xmlns="[^"<>]*")?>\s*(?:<Object>\s*<Key>[^<]*<\/Key>\s*<\/Object>\s*|<Quiet>(?:true|false)<\/Quiet>\s*)*<\/Delete>\s*$/;

/** The keys in a request that removes several objects. */
function namedInBody({ body }: Form): { body: string; keys: string[] } {
  if (body == null || body === '') return reject('it has no body with the objects to remove');
  // Requires one exact form, so that no object that another parser would recognize is overlooked.
  if (!REMOVAL.test(body)) reject("its body isn't a plain list of objects to remove");
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, text = '']) =>
    text.replaceAll(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES.get(name) ?? whole;
      const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (codePoint > 0x10ffff) reject('its body names no file');
      return String.fromCodePoint(codePoint);
    }),
  );
  if (keys.length === 0 || keys.some((key) => DOTS.test(key) || /[\0\\]/.test(key)))
    reject("its body doesn't name a file");
  return { body, keys };
}
