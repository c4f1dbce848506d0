import { ownValue } from '@svc/core/own-value';

/** The options and arguments of a command, by name. */
export interface Inputs {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Options with another name than the field that they set. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  environment: 'env',
  group_name: 'group',
  namespace: 'ns',
  new_name: 'as',
  principal_name: 'principal',
  repository: 'repo',
  within_days: 'within',
};

/**
 * How the command line calls a field of the request that the service rejected: `--days` for `/days`, `--column` for
 * `/columns/0/type`, `NAME` for an argument. Null if no option or argument has its name.
 */
export function inputName({ flags, args }: Inputs, pointer: string): string | null {
  const field = pointer.split('/')[1] ?? '';
  const option = field.replaceAll('_', '-');
  // `--expires-in` becomes `expires_at`, and a repeatable option a list.
  const options = [option, option.replace(/s$/, ''), option.replace(/-at$/, '-in'), ownValue(OTHER_NAMES, field) ?? ''];
  const found = options.find((name) => ownValue(flags ?? {}, name) !== undefined);
  if (found !== undefined) return `--${found}`;
  const [only, ...others] = Object.keys(args ?? {});
  // `svc table create TABLE` sends a part of its argument as the name.
  if (field === 'name' && only !== undefined && others.length === 0) return only.toUpperCase();
  return ownValue(args ?? {}, field) === undefined ? null : field.toUpperCase();
}
