import type { ViewMetadata, ViewVersion } from './metadata.ts';

const HISTORY_SIZE = 'version.history.num-entries';
const HISTORY_DEFAULT = 10;
const DROP_ALLOWED = 'replace.drop-dialect.allowed';

const dialectsOf = ({ representations }: ViewVersion): string[] =>
  representations.map(({ dialect }) => dialect.toLowerCase());

/** Why a new version can't replace the previous one: it would lose an engine's dialect. Null if it can. */
export function checkDialects(
  before: ViewVersion,
  after: ViewVersion,
  properties: Readonly<Record<string, string>>,
): string | null {
  if (properties[DROP_ALLOWED]?.toLowerCase() === 'true') return null;
  const [dialectsBefore, dialectsAfter] = [dialectsOf(before), dialectsOf(after)];
  if (dialectsBefore.every((dialect) => dialectsAfter.includes(dialect))) return null;
  return `Cannot replace view due to loss of view dialects (${DROP_ALLOWED}=false):\nPrevious dialects: [${dialectsBefore.join(', ')}]\nNew dialects: [${dialectsAfter.join(', ')}]`;
}

/** Removes versions beyond the number to retain, but never the current one or one just added. */
export function trimHistory(metadata: ViewMetadata, added: ReadonlySet<number>): ViewMetadata {
  const requested = Number(metadata.properties[HISTORY_SIZE] ?? HISTORY_DEFAULT);
  const size = Number.isSafeInteger(requested) && requested > 0 ? requested : HISTORY_DEFAULT;
  const current = metadata['current-version-id'];
  const count = Math.max(size, new Set([...added, current]).size);
  if (metadata.versions.length <= count) return metadata;
  const newest = metadata.versions.map((v) => v['version-id']).sort((a, b) => b - a);
  const retained = new Set([current, ...newest.filter((id) => id !== current).slice(0, count - 1)]);
  const log = metadata['version-log'];
  // A gap would make the log wrong, so remove everything older than a removed entry too.
  const lastGone = log.findLastIndex((entry) => !retained.has(entry['version-id']));
  return {
    ...metadata,
    versions: metadata.versions.filter((v) => retained.has(v['version-id'])),
    'version-log': log.slice(lastGone + 1),
  };
}
