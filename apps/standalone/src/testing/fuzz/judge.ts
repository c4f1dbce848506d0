import { PROBLEMS } from '@svc/core/errors';
import type { FuzzRequest } from './requests.ts';
import type { FuzzAnswer } from './send.ts';

/** What any route may answer beside its own statuses: the document's `default`. */
const ANYWHERE = new Set([400, 404, 405, 411, 413, 415, 417, 422, 429, 431]);
const MEMBERS = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'errors', 'remedy']);

/** What is wrong with an answer, or null. The bodies of successes are held against their schemas by the service itself. */
export function faultOf({ method, operation }: FuzzRequest, { status, headers, body }: FuzzAnswer): string | null {
  if (status >= 500) return `answered ${status}`;
  const own = method === operation.method;
  if (own && !operation.statuses.has(status) && !ANYWHERE.has(status)) return `${status} is not documented`;
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  if (status < 400 || method === 'HEAD') return null;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/problem+json')) return `a refusal of type ${type}`;
  return faultOfProblem(status, body.toString('utf8'));
}

export function faultOfProblem(status: number, text: string): string | null {
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'a refusal that is no JSON';
  }
  for (const name of ['type', 'title', 'detail', 'instance', 'code', 'request_id'])
    if (typeof problem[name] !== 'string' || problem[name] === '') return `a problem whose ${name} is no text`;
  if (problem['status'] !== status) return `a problem of status ${String(problem['status'])} in an answer of ${status}`;
  const code = problem['code'] as keyof typeof PROBLEMS;
  if (!(code in PROBLEMS)) return `an unknown code ${code}`;
  if (PROBLEMS[code].status !== status) return `${code} with status ${status}`;
  const foreign = Object.keys(problem).filter((name) => !MEMBERS.has(name));
  if (foreign.length > 0) return `a problem with ${foreign.join(', ')}`;
  if (status === 422 && !Array.isArray(problem['errors'])) return 'a 422 that does not say where';
  if (/\bat .*\(.*:\d+:\d+\)|node_modules|prisma|SELECT .* FROM/i.test(String(problem['detail'])))
    return `internals in the detail: ${String(problem['detail']).slice(0, 200)}`;
  return null;
}
