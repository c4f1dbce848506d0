import { trimEnd } from '@svc/core/contract';
/** A user name and password that must not appear in any output. */
export interface IndexCredential {
  readonly username: string;
  readonly password: string;
}

/** Removes credentials from text that arrives in pieces, even if a credential spans several. */
export interface TextFilter {
  push: (text: string) => string;
  end: () => string;
}

/** User names that hosting services prescribe. They reveal nothing and stay readable. */
const WELL_KNOWN_USERS = new Set([
  '__token__',
  'oauth2accesstoken',
  '_json_key_base64',
  'gitlab-ci-token',
  'VssSessionToken',
]);
/** Removing shorter user names would remove ordinary words from the output. */
const SHORTEST_USER = 8;

/** The forms in which programs write a secret into URLs, JSON and headers. */
function spellings(secret: string): string[] {
  const strict = encodeURIComponent(secret).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const url = new URL('http://x');
  url.password = secret;
  const encoded = [strict, encodeURIComponent(secret), encodeURI(secret), url.password, strict.replaceAll('%20', '+')];
  const lower = encoded.map((text) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
  return [secret, ...encoded, ...lower, JSON.stringify(secret).slice(1, -1)];
}

/** Every form of the credentials, longest first. Otherwise only a part of a pair would be removed. */
function formsOf(credentials: readonly IndexCredential[]): string[] {
  const forms = new Set<string>();
  for (const { username, password } of credentials) {
    const pair = `${username}:${password}`;
    const secrets = [pair, password];
    if (username.length >= SHORTEST_USER && !WELL_KNOWN_USERS.has(username)) secrets.push(username);
    for (const secret of secrets) for (const form of spellings(secret)) forms.add(form);
    for (const [i, user] of spellings(username).entries()) forms.add(`${user}:${spellings(password)[i]}`);
    const encoded = Buffer.from(pair).toString('base64');
    forms.add(encoded).add(trimEnd(encoded, '=')).add(Buffer.from(pair).toString('base64url'));
  }
  return [...forms].filter((form) => form.length > 1).sort((a, b) => b.length - a.length);
}

/**
 * Creates a filter that removes credentials from a stream of text: the password, a long user name, both joined,
 * percent-encoded and as basic authentication (SECRET-3). It retains text until no credential can start in it.
 */
export function redactingFilter(credentials: readonly IndexCredential[]): TextFilter {
  const forms = formsOf(credentials);
  const firstCharacters = new Set(forms.map((form) => form[0]));
  const longest = forms[0]?.length ?? 0;
  let pending = '';
  const take = (least: number): string => {
    let shown = '';
    let at = 0;
    while (pending.length - at > least) {
      const form = firstCharacters.has(pending[at])
        ? forms.find((candidate) => pending.startsWith(candidate, at))
        : undefined;
      shown += form === undefined ? pending[at] : '***';
      at += form?.length ?? 1;
    }
    pending = pending.slice(at);
    return shown;
  };
  return {
    push(text) {
      if (longest === 0) return text;
      pending += text;
      return take(longest - 1);
    },
    end: () => take(0),
  };
}

/** Creates a function that removes credentials from a complete text. */
export function redactor(credentials: readonly IndexCredential[]): (text: string) => string {
  return (text) => {
    const filter = redactingFilter(credentials);
    return filter.push(text) + filter.end();
  };
}
