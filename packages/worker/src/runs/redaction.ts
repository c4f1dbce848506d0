/** A user name and password that must not appear in any output. */
export interface IndexCredential {
  readonly username: string;
  readonly password: string;
}

/** User names that hosting services prescribe: they tell nothing and stay readable. */
const KNOWN_USERS = new Set([
  '__token__',
  'oauth2accesstoken',
  '_json_key_base64',
  'gitlab-ci-token',
  'VssSessionToken',
]);
/** Shorter user names would take ordinary words out of the output. */
const SHORTEST_USER = 8;

/**
 * Makes a function that takes credentials out of a line: the password, a long user name, both joined, percent-encoded
 * and as basic authentication (specification 2.6, 2.7).
 */
export function redactor(credentials: readonly IndexCredential[]): (line: string) => string {
  const forms = new Set<string>();
  for (const { username, password } of credentials) {
    const pair = `${username}:${password}`;
    const secrets = [pair, password];
    if (username.length >= SHORTEST_USER && !KNOWN_USERS.has(username)) secrets.push(username);
    for (const secret of secrets) {
      if (secret === '' || secret === ':') continue;
      forms.add(secret).add(encodeURIComponent(secret)).add(encodeURI(secret));
    }
    forms.add(`${encodeURIComponent(username)}:${encodeURIComponent(password)}`);
    const encoded = Buffer.from(pair).toString('base64');
    forms.add(encoded).add(encoded.replace(/=+$/, '')).add(Buffer.from(pair).toString('base64url'));
  }
  // Longest first: otherwise a part of a pair would be taken out and the rest stay.
  const ordered = [...forms].filter((form) => form.length > 1).sort((a, b) => b.length - a.length);
  return (line) => ordered.reduce((text, form) => text.replaceAll(form, '***'), line);
}
