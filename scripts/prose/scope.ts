/** Generated files, whose sources are checked instead, and the list of words itself. */
const GENERATED = [
  /\/generated\//,
  /^docs\/reference\//,
  /api-report\.md$/,
  /__snapshots__/,
  /^scripts\/prose\/words\.ts$/,
];

/** Uses in which a listed word is right. */
export interface Exception {
  /** Phrases of texts, with their case. */
  readonly phrases?: readonly string[];
  /** Part of an identifier, or all of it. */
  readonly names?: RegExp;
  /** Names of properties, which variables and functions can't have. */
  readonly fields?: readonly string[];
  /** Names of types with any suffix. */
  readonly types?: readonly string[];
  readonly because: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    phrases: ['RUN_ENDED', 'already-ended', 'not-ended'],
    names: /^RUN_ENDED$/,
    because: 'event types and error codes of the specification',
  },
  {
    phrases: ['cannot be held', 'is not held', 'table-held', ' AS held', 'Earlier events keep what they stored'],
    names: /legal_?holds?|^(?:TABLE_HELD|TableHold)$/i,
    fields: ['held', 'hold', 'kept'],
    because: 'the legal hold and other names and sentences of the specification',
  },
  { names: /^holder(?:Schema)?$/i, because: 'the holder of a lease, and the schema of a principal with access' },
  { names: /^keepAlive|KeepDays$/, because: 'options of Node and names of settings' },
  { names: /^lookUp/, because: 'to look up: the verb of "lookup"' },
  { phrases: ['held in memory'], because: 'English' },
  { fields: ['givenName'], because: 'a field of SCIM' },
  {
    types: [
      'BadRequest',
      'Unauthorized',
      'Forbidden',
      'NotFound',
      'Conflict',
      'PayloadTooLarge',
      'UnprocessableEntity',
      'TooManyRequests',
      'Unavailable',
      'WorkFailed',
    ],
    because: 'public errors of the clients, mostly named after HTTP statuses',
  },
  { types: ['Fault'], because: 'fault injection' },
  { phrases: ['BEGIN ', 'BEGIN;', 'BEGIN'], fields: ['BEGIN'], names: /^BEGIN$/, because: 'SQL' },
  { phrases: ['is None'], because: 'Python' },
];

export const isGenerated = (file: string): boolean => GENERATED.some((pattern) => pattern.test(file));
