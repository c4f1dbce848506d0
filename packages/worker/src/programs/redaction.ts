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
 * percent-encoded and as basic authentication (SECRET-3).
 */
export function redactingFilter(credentials: readonly IndexCredential[]): TextFilter {
  return removing(formsOf(credentials));
}

/** Creates a filter that removes one text from a stream. */
export function filterWithout(secret: string): TextFilter {
  return removing([secret]);
}

/**
 * Removes these texts, of which longer ones come first. A filter retains only what could be the start of one: lines without such a start
 * pass at once.
 */
function removing(forms: readonly string[]): TextFilter {
  const firstCharacters = new Set(forms.map((form) => form[0]));
  const longest = forms[0]?.length ?? 0;
  let pending = '';
  const couldGrow = (at: number): boolean => {
    if (pending.length - at >= longest) return false;
    const rest = pending.slice(at);
    return forms.some((form) => form.length > rest.length && form.startsWith(rest));
  };
  const take = (isEnd: boolean): string => {
    let shown = '';
    let from = 0;
    let at = 0;
    while (at < pending.length) {
      if (!firstCharacters.has(pending[at])) {
        at++;
        continue;
      }
      if (!isEnd && couldGrow(at)) break;
      const form = forms.find((candidate) => pending.startsWith(candidate, at));
      if (form === undefined) at++;
      else {
        shown += `${pending.slice(from, at)}***`;
        at += form.length;
        from = at;
      }
    }
    shown += pending.slice(from, at);
    pending = pending.slice(at);
    return shown;
  };
  return {
    push(text) {
      if (longest === 0) return text;
      pending += text;
      return take(false);
    },
    end: () => take(true),
  };
}

/** Creates a function that removes credentials from a complete text. */
export function redactor(credentials: readonly IndexCredential[]): (text: string) => string {
  return (text) => {
    const filter = redactingFilter(credentials);
    return filter.push(text) + filter.end();
  };
}
