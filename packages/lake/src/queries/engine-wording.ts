import { nearestName } from '@svc/core/nearest-name';

/** The class of an error, which adds nothing to its text for the user. */
const CLASS = /^[A-Z][A-Za-z ]{0,40} Error: /;

const CONVERT = 'Convert the arguments with CAST(… AS …).';

/** The number of alternatives of an overloaded function that are worth reading. */
const MAX_ALTERNATIVES = 5;

type Wording = readonly [pattern: RegExp, (...groups: string[]) => string];

/**
 * The engine's texts for the most frequent mistakes, and ours. A name that contains a quote matches none: the engine doesn't
 * escape it.
 */
const WORDINGS: readonly Wording[] = [
  [
    /^Referenced column "([^"]+)" not found in FROM clause!(?:\nCandidate bindings: (.+))?$/,
    (column, candidates) => `The column "${column}" doesn't exist.${suggestion(column!, candidates)}`,
  ],
  [
    /^(?:Values list|Table) "([^"]+)" does not have a column named "([^"]+)"(?:\n\n?Candidate bindings: (.+))?$/,
    (table, column, candidates) =>
      `The column "${column}" doesn't exist in ${table}.${suggestion(column!, candidates)}`,
  ],
  [
    /^Referenced table "([^"]+)" not found!(?:\nCandidate tables: (.+))?$/,
    (table, candidates) => `The statement has no table or alias "${table}" in FROM.${suggestion(table!, candidates)}`,
  ],
  [
    /^Could not find key "([^"]+)" in struct(?:\n\n?Candidate Entries: (.+))?$/,
    (field, candidates) => `The struct has no field "${field}".${suggestion(field!, candidates)}`,
  ],
  [
    /^Column "([^"]+)" does not exist on (left|right) side of join!$/,
    (column, side) => `The column "${column}" in USING doesn't exist on the ${side} side of the join.`,
  ],
  [
    /^Ambiguous reference to column name "([^"]+)" \(use: (.+)\)$/,
    (column, choices) => `The column "${column}" is ambiguous. Write ${namesIn(choices).join(' or ')}.`,
  ],
  [
    /^column "([^"]+)" must appear in the GROUP BY clause or must be part of an aggregate function\./,
    (column) =>
      `The column "${column}" must be in the GROUP BY clause or inside an aggregate function. Add it to GROUP BY, or write any_value(…) if any of its values will do.`,
  ],
  [
    /^No function matches the given name and argument types '([^(]+)(\(.*\))'\. You might need to add explicit type casts\.(?:\n\tCandidate functions:\n(.*))?$/s,
    (name, types, alternatives) => {
      const isOperator = !/^\w/.test(name!);
      const accepted = isOperator ? [] : acceptedTypes(alternatives);
      const what = isOperator ? `The operator ${name}` : `The function "${name}"`;
      return `${what} doesn't accept ${types}.${accepted.length > 0 ? ` It accepts ${accepted.join(', ')}.` : ''} ${CONVERT}`;
    },
  ],
  [
    /^Could not choose a best candidate function for the function call "([^(]+)(\(.*\))"\./,
    (name, types) => {
      const what = /^\w/.test(name!) ? `The function "${name}"` : `The operator ${name}`;
      const readable = types!.replaceAll('STRING_LITERAL', 'text').replaceAll('INTEGER_LITERAL', 'integer');
      return `${what} accepts ${readable} as several types. ${CONVERT}`;
    },
  ],
  [
    /^table "svc:inserted" has (\d+) columns available but (\d+) columns specified/,
    (available, needed) => `INSERT needs ${needed} columns, and the query returns ${available}.`,
  ],
  [
    /^Type with name (.+) does not exist!(?:\nDid you mean "([^"]+)"\?)?$/,
    (type, similar) => `The type "${type}" doesn't exist.${similar ? ` Did you mean "${similar}"?` : ''}`,
  ],
];

/** The text of an error of the engine as svc shows it: without the class, and with the closest name only. */
export function engineWording(raw: string): string {
  const text = raw.replace(CLASS, '');
  for (const [pattern, wording] of WORDINGS) {
    const found = pattern.exec(text);
    if (found !== null) return wording(...found.slice(1));
  }
  const plain = text.replaceAll('\t', '  ').replace(/!$/, '.');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** A name of one or two letters is close to every short name. */
function suggestion(name: string, candidates: string | undefined): string {
  const names = namesIn(candidates);
  const ownNames = new Map(names.map((candidate) => [candidate.slice(candidate.lastIndexOf('.') + 1), candidate]));
  const own = name.slice(name.lastIndexOf('.') + 1);
  const nearest = own.length < 3 ? null : nearestName(own, ownNames.keys());
  return nearest === null ? '' : ` Did you mean "${ownNames.get(nearest)}"?`;
}

/** Without the columns of ours that no table has. */
const namesIn = (list = ''): string[] =>
  [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name!).filter((name) => !name.startsWith('svc:'));

/** Without the results; none if there are too many to read. */
function acceptedTypes(alternatives = ''): string[] {
  const types = alternatives.split('\n').flatMap((line) => {
    const [accepted, result] = line.split(' -> ');
    const start = accepted!.indexOf('(');
    return result === undefined || start === -1 ? [] : accepted!.slice(start);
  });
  return types.length > MAX_ALTERNATIVES ? [] : types;
}
