/** The separators of the subjects of CI systems and clusters: `repo:org/name:ref:refs/heads/main`, `system:serviceaccount:ns:name`. */
const SEPARATORS = /[:/]+/;
const MAX_LENGTH = 255;

/**
 * Why a text can't be the subject of a workload identity (TOKEN-8); null if it can. A pattern that ends with `*` must fix two parts:
 * `repo:*` would trust everyone who uses the same issuer.
 */
export function subjectFailure(text: string): string | null {
  if (text === '') return 'must not be empty';
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  const star = text.indexOf('*');
  if (star === -1) return null;
  const prefix = text.slice(0, -1);
  if (star !== text.length - 1 || !/[:/]$/.test(prefix)) return 'can contain * only at the end, after ":" or "/"';
  if (prefix.split(SEPARATORS).filter((part) => part !== '').length < 2)
    return 'must name more before *: others use the same issuer, such as repo:my-org/* for GitHub';
  return null;
}

/** Whether the subject of a token is the one of the identity, or starts with it if that ends with `*`. */
export const subjectMatches = (pattern: string, subject: string): boolean =>
  pattern.endsWith('*')
    ? subject.length >= pattern.length && subject.startsWith(pattern.slice(0, -1))
    : subject === pattern;

/** What a token must contain to be accepted for an identity. */
export interface WorkloadRule {
  readonly audience: string;
  readonly subject: string;
  /** Further claims with their exact values. */
  readonly claims: Readonly<Record<string, string>>;
}

/** Whether the claims of a verified token are those of the identity. Only texts, numbers and booleans can be equal to a claim. */
export function workloadMatches(rule: WorkloadRule, token: Readonly<Record<string, unknown>>): boolean {
  const audiences: readonly unknown[] = Array.isArray(token['aud']) ? token['aud'] : [token['aud']];
  const { sub } = token;
  if (!audiences.includes(rule.audience) || typeof sub !== 'string' || !subjectMatches(rule.subject, sub)) return false;
  return Object.entries(rule.claims).every(([name, expected]) => {
    const value = Object.hasOwn(token, name) ? token[name] : undefined;
    return ['string', 'number', 'boolean'].includes(typeof value) && String(value) === expected;
  });
}
