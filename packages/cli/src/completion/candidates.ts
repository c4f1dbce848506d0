import { envFlag } from '../arguments/flags.ts';
import { readProfiles } from '../client/profiles.ts';
import { readSettings } from '../client/settings.ts';
import { globalFlags } from '../command.ts';
import { COMMANDS, TOPICS } from '../commands.ts';
import type { Io } from '../terminal/io.ts';
import { namesOf, type Where } from './names.ts';
import { type FlagInfo, type Place, placeOf } from './place.ts';
import { type Source, sourceOf } from './values.ts';

export interface Candidate {
  text: string;
  /** What it is, for shells that show it. */
  about?: string;
}

export interface Completion {
  candidates: Candidate[];
  /** Whether the shell should offer files or folders instead. */
  files: 'files' | 'folders' | null;
}

const GLOBALS = { ...globalFlags, ...envFlag } as unknown as Record<string, FlagInfo>;
const NOTHING: Completion = { candidates: [], files: null };

/** What may stand at the cursor; `words` are those after `svc`, the last one as far as it is typed. */
export async function complete(words: readonly string[], io: Io): Promise<Completion> {
  const place = await placeOf(words, GLOBALS);
  const { candidates, files } = await offered(place, io);
  // What is typed already is no candidate where more may follow it.
  const more = (text: string) => text !== place.current || !/[./]$/.test(text);
  const fitting = candidates.filter(({ text }) => text.startsWith(place.current) && more(text));
  return { files, candidates: fitting.map((one) => ({ ...one, text: place.prefix + one.text })) };
}

async function offered(place: Place, io: Io): Promise<Completion> {
  if (place.at !== null) {
    const source = sourceOf(place.at, place.options);
    return source === null ? NOTHING : valuesOf(source, place, io);
  }
  if (place.current.startsWith('-')) return { candidates: optionsOf(place.flags), files: null };
  return { candidates: await nextWords(place.begun), files: null };
}

/** The next word of every command that begins so, with what it is about. */
async function nextWords(begun: readonly string[]): Promise<Candidate[]> {
  const head = begun.length === 0 ? '' : `${begun.join(' ')} `;
  const next = new Map<string, string>();
  for (const id of Object.keys(COMMANDS).filter((one) => one.startsWith(head))) {
    const word = id.slice(head.length).split(' ')[0]!;
    const whole = head + word;
    if (next.has(word)) continue;
    next.set(word, TOPICS[whole] ?? (await COMMANDS[id]!()).default.summary ?? '');
  }
  return [...next].map(([text, about]) => ({ text, about }));
}

function optionsOf(flags: Record<string, FlagInfo>): Candidate[] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => !hidden)
    .flatMap(([name, { description = '', allowNo }]) => [
      { text: `--${name}`, about: description },
      ...(allowNo ? [{ text: `--no-${name}`, about: `not: ${description}` }] : []),
    ]);
}

async function valuesOf(source: Source, place: Place, io: Io): Promise<Completion> {
  if ('files' in source) return { candidates: [], files: source.files };
  return { candidates: (await textsOf(source, place, io)).map((text) => ({ text })), files: null };
}

async function textsOf(source: Exclude<Source, { files: unknown }>, place: Place, io: Io): Promise<readonly string[]> {
  const { given, current } = place;
  if ('words' in source) return source.words;
  if ('profiles' in source) return Object.keys(await readProfiles(io));
  const { url, token, env } = await readSettings(io, given);
  const signed = { url: url.value, token: token.value };
  const where: Where = { env: env.value, namespace: given.ns };
  const names = (kind: Parameters<typeof namesOf>[0], more: Partial<Where> = {}) =>
    namesOf(kind, { ...where, ...more }, signed, io);
  if ('names' in source) return names(source.names);
  if ('scope' in source) return scopes(current, names);
  // The namespace first, then the tables in it.
  const dot = current.lastIndexOf('.');
  const namespaces = (await names('namespaces')).map((path) => `${path}.`);
  if (dot === -1) return namespaces;
  const namespace = current.slice(0, dot);
  const tables = (await names(source.tables, { namespace })).map((name) => `${namespace}.${name}`);
  return [...tables, ...namespaces];
}

/** `<environment>/<namespace>/<table>`, a part after the other (specification 2.1). */
async function scopes(
  current: string,
  names: (kind: 'environments' | 'namespaces' | 'tables', more?: Partial<Where>) => Promise<string[]>,
): Promise<string[]> {
  const [env = '', namespace, table] = current.split('/');
  if (namespace === undefined) return names('environments');
  const within = table === undefined ? env : `${env}/${namespace}`;
  const found = table === undefined ? names('namespaces', { env }) : names('tables', { env, namespace });
  return (await found).map((name) => `${within}/${name}`);
}
