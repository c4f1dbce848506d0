/** Words and phrases that svc doesn't write, each with what it writes instead. `texts`: in prose, case aside. */
export interface Word {
  readonly texts?: RegExp;
  /** A part of an identifier (`tell` in `tellEnd`, `MOST` in `MOST_ROWS`), in lower case. */
  readonly identifiers?: readonly string[];
  readonly write: string;
}

export const WORDS: readonly Word[] = [
  {
    texts:
      /\b(?:tells?|told|telling)\b|\bsays? (?:of|nothing|otherwise|something else)\b|\b(?:is|are|was|were) said\b|\bwhat \w+ (?:said|says?)\b/,
    identifiers: ['tell', 'tells', 'told', 'teller', 'say', 'says', 'said'],
    write: 'report, return, log, print, show',
  },
  {
    texts:
      /\b(?:who may|who may not|whoever|(?:for|of|by|to|from|with) who\b|who (?:asks|waits|reads|sends|holds|has|is) )/,
    write: 'users with READ_TABLE, callers without permission, anyone who',
  },
  {
    texts: /(?<!\bthere )\b(?:is|are) no (?!longer\b)|\b(?:be it|is none|are none)\b/,
    write: "is not a, doesn't exist, whether",
  },
  {
    texts: /\b(?:hold(?:s|er)?|take[ns]?|lose[s]?) (?:of )?the role\b(?! [`A-Z])|\bwhose role\b/,
    write: 'leader, leader lease, leadership',
  },
  {
    texts: /\bthe present (?!in\b)\w+|\bpresent ones?\b/,
    write: 'the active one, the current version',
  },
  { texts: /\b(?:in place of|for want of)\b/, identifiers: ['inPlaceOf'], write: 'instead of, because there is no' },
  { texts: /\b(?:goes|gone|went|going) on\b|\bgo on\b/, write: 'resumes, continues' },
  {
    texts: /\b(?:judge[sd]?|judging)\b/,
    identifiers: ['judge', 'judged', 'judges'],
    write: 'validate, verify; verdict only for the result about a lock file',
  },
  {
    texts: /\b(?:asks|asked|askers?|asking)\b/,
    identifiers: ['ask', 'asks', 'asked', 'asker', 'askers'],
    write: 'request, caller, requester',
  },
  {
    texts: /\b(?:gives?|gave|given (?:back|up|to|or|no|otherwise)|giving)\b/,
    identifiers: ['give', 'gives', 'given', 'giving'],
    write: 'return, release; requested, abandoned',
  },
  {
    texts:
      /\bkeeps? (?:what|nothing|whole)\b|\b(?:is|are|was|were|be|been|being) kept\b(?! (?:for|until|after)\b)|\bkept (?:aside|back|by|whole)\b|\bheld\b|\bholds? (?:what|nothing|no)\b|\bwhat [^.,;]{0,20}\bholds?\b/,
    identifiers: ['keep', 'keeps', 'kept', 'held', 'hold', 'holds', 'holder', 'holders'],
    write: 'retain, store, cache, lock, contain; legal hold only for the feature',
  },
  {
    texts:
      /\b(?:the|its|own|first|last|next|each|task's|scheduler's) looks?\b(?!-)|\ba look at\b|\bscheduler looks\b|\blook(?:s|ed|ing)? into\b|\b(?:its|their|first|last|next) turns?\b|\bturns? of (?:\w+ )?loops?\b/,
    identifiers: ['look', 'looks', 'looked', 'turn', 'turns'],
    write: 'poll, tick, iteration, read',
  },
  {
    texts:
      /\bin (?:(?:our|its|their) own |the |plain )?words\b|\b(?:its|their|own) words?\b|\bwords? of (?:a|the) (?:command line|protocol|filter)\b/,
    identifiers: ['words'],
    write: 'arguments; values; message, text',
  },
  { texts: /\b(?:books|booked|bookings?)\b/, identifiers: ['book', 'booked', 'booking'], write: 'enqueue' },
  {
    texts: /\b(?:begins?|began|begun|beginnings?)\b/,
    identifiers: ['begin', 'begins', 'begun', 'beginning'],
    write: 'start, started',
  },
  { texts: /\breap(?:s|ed|er|ing)?\b/, identifiers: ['reap', 'reaped', 'reaper'], write: 'rescue expired leases' },
  {
    texts: /\b(?:spares?|rehears\w+)\b/,
    identifiers: ['spare', 'spares', 'rehearse', 'rehearsal'],
    write: 'prefork, warm up',
  },
  { texts: /\brooms?\b/, identifiers: ['room', 'rooms'], write: 'module, sandbox, space' },
  { texts: /\bpatience\b/, identifiers: ['patience', 'patient'], write: 'timeout, minimum rate' },
  { identifiers: ['most'], write: 'MAX_X, maxRows' },
  { identifiers: ['desk', 'attend'], write: 'local dispatcher, register' },
  {
    texts:
      /\b(?:in|into|takes?|took) (?:its|their|the) place\b|\b(?:one|no|a|gets a|same) place (?:holds?|for|is)\b|\bplaces? of (?:a|the|its|his|their)\b|\bat (?:one|a|its) places?\b/,
    identifiers: ['place', 'places'],
    write: 'slot, position, location, sort key: whichever it is',
  },
  { texts: /\bsurfaces?\b/, identifiers: ['surface', 'surfaces'], write: 'generated references, generated code' },
  { texts: /\bmend(?:s|ed|ing)?\b/, identifiers: ['mend', 'mended'], write: 'fix' },
  { texts: /\banew\b/, identifiers: ['anew'], write: 'again' },
  { texts: /\bmeanwhile\b/, identifiers: ['meanwhile'], write: 'concurrently, in the meantime' },
  { texts: /\belsewhere\b/, identifiers: ['elsewhere'], write: 'external engine, another …' },
  { texts: /\bby hand\b/, identifiers: ['byhand'], write: 'manually' },
  { texts: /\b(?:stands?|stood)\b(?! by\b| for\b)/, write: 'is, exists, is written' },
  {
    texts:
      /\bended\b|\b(?:runs?|query|queries|tasks?|jobs?|loads?|writes?|deploys?|histories|queued one) (?:never )?ends?\b(?! with)|\bends? (?:by (?:a limit|itself)|the (?:runs?|query|queries|tasks?|jobs?|whole group))\b|\bends as\b/,
    identifiers: ['ended'],
    write: 'finished, completed, failed, cancelled',
  },
];

/** Suffixes of types that svc doesn't use. A class whose base is an error ends in `Error`. */
export const TYPE_SUFFIXES = {
  pattern: /(?:Problem|Refusal|Denied|Fault|Trouble|Wrong)$/,
  write: 'ProblemDetails on the wire, …Error for what is thrown, …Result or …Failure for what is returned',
};
