import { ERRORS } from '@svc/core/errors';
import type { FuzzRequest } from './requests.ts';
import type { FuzzAnswer } from './send.ts';

/** Statuses that any route may return besides its own: the document's `default`. */
const ANYWHERE = new Set([400, 404, 405, 411, 413, 415, 417, 422, 429, 431]);
const MEMBERS = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'errors', 'remedy']);

/** The problem with a response, or null. The service itself checks the bodies of successes against their schemas. */
export function faultOf(request: FuzzRequest, answer: FuzzAnswer): string | null {
  const { method, operation } = request;
  const { status, headers, body } = answer;
  // No identity provider responds at the addresses that requests name.
  const isOfProvider = status === 503 && operation.path.startsWith('/api/v1/sign-in/device');
  if (status >= 500 && !isOfProvider) return `answered ${status}`;
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  if (operation.statuses === null) return faultOfProtocol(request, answer);
  const own = method === operation.method;
  if (own && !operation.statuses.has(status) && !ANYWHERE.has(status)) return `${status} is not documented`;
  if (status < 400 || method === 'HEAD') return null;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/problem+json')) return `a refusal of type ${type}`;
  return faultOfProblem(status, body.toString('utf8'));
}

const INTERNALS = /\bat .*\(.*:\d+:\d+\)|node_modules|prisma|SELECT .* FROM|is not a function|Cannot read propert/i;

/** Refusals of the catalog follow the protocol's error model, or OAuth's for token requests. */
function faultOfProtocol({ method, operation }: FuzzRequest, { status, headers, body }: FuzzAnswer): string | null {
  if (method === 'HEAD') return body.length > 0 ? 'a body' : null;
  if (status < 400) return null;
  if (status === 401 && operation.id !== 'getToken' && headers['www-authenticate'] === undefined)
    return 'a 401 without WWW-Authenticate';
  // A refusal of the HTTP server itself has no route.
  if (status === 431 || headers['content-type']?.startsWith('application/problem+json') === true)
    return faultOfProblem(status, body.toString('utf8'));
  if (headers['content-type']?.startsWith('application/json') !== true)
    return `a refusal of type ${headers['content-type']}`;
  return faultOfError(status, body.toString('utf8'), operation.id === 'getToken');
}

function faultOfError(status: number, text: string, oauth: boolean): string | null {
  if (INTERNALS.test(text)) return 'internals in the message';
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return 'a refusal without JSON';
  }
  const { error, error_description } = read as Record<string, unknown>;
  if (oauth && typeof error === 'string')
    return typeof error_description === 'string' ? null : 'an error without a description';
  const { message, type, code } = (error ?? {}) as Record<string, unknown>;
  if (typeof message !== 'string' || message === '') return 'an error without a message';
  if (typeof type !== 'string' || !/^[A-Z]\w+(?:Exception|Error)$/.test(type))
    return `an error of type ${String(type)}`;
  return code === status ? null : `an error of code ${String(code)} in an answer of ${status}`;
}

/** Whether a refusal reports a missing permission: each of those has its event. */
export function lacksRight({ operation }: FuzzRequest, { status, body }: FuzzAnswer): boolean {
  if (status !== 403) return false;
  const text = body.toString('utf8');
  return operation.statuses === null ? !/protected|legal hold|quota/i.test(text) : text.includes('"code":"forbidden"');
}

export function faultOfProblem(status: number, text: string): string | null {
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'a refusal without JSON';
  }
  for (const name of ['type', 'title', 'detail', 'instance', 'code', 'request_id'])
    if (typeof problem[name] !== 'string' || problem[name] === '') return `a problem whose ${name} isn't a text`;
  if (problem['status'] !== status) return `a problem of status ${String(problem['status'])} in an answer of ${status}`;
  const code = problem['code'] as keyof typeof ERRORS;
  if (!(code in ERRORS)) return `an unknown code ${code}`;
  if (ERRORS[code].status !== status) return `${code} with status ${status}`;
  const foreign = Object.keys(problem).filter((name) => !MEMBERS.has(name));
  if (foreign.length > 0) return `a problem with ${foreign.join(', ')}`;
  if (status === 422 && !Array.isArray(problem['errors'])) return 'a 422 that does not say where';
  if (INTERNALS.test(String(problem['detail'])))
    return `internals in the detail: ${String(problem['detail']).slice(0, 200)}`;
  return null;
}
