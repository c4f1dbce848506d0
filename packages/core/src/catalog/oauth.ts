/** A parsed token request, or why it is invalid (RFC 6749 section 5.2). */
export type TokenRequest =
  | { ok: true; token: string; clientId: string | null }
  | { ok: false; status: 400 | 401; error: string; description: string };

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const reject = (error: string, description: string): TokenRequest => ({
  ok: false,
  status: error === 'invalid_client' ? 401 : 400,
  error,
  description,
});

/**
 * Parses a form of `POST /v1/oauth/tokens`. With client credentials, the secret is an svc token and the optional id is
 * the name of its principal. A token exchange returns the subject token.
 *
 * @param basic user name and password of an `Authorization: Basic` header, or null
 */
export function readTokenRequest(
  form: ReadonlyMap<string, string>,
  basic: { user: string; password: string } | null,
): TokenRequest {
  const grant = form.get('grant_type');
  if (grant === 'client_credentials') {
    const token = form.get('client_secret') ?? basic?.password;
    if (!token) return reject('invalid_client', 'Send an svc token as client_secret.');
    return { ok: true, token, clientId: form.get('client_id') || basic?.user || null };
  }
  if (grant === TOKEN_EXCHANGE) {
    const token = form.get('subject_token');
    if (!token) return reject('invalid_request', 'A token exchange requires subject_token: an svc token.');
    return { ok: true, token, clientId: null };
  }
  if (grant === undefined) return reject('invalid_request', 'Send grant_type=client_credentials.');
  return reject('unsupported_grant_type', 'Use grant_type=client_credentials, or a token exchange.');
}
