import { envFlag } from '../arguments/flags.ts';
import { globalFlags } from '../arguments/global-flags.ts';
import { readProfiles } from '../client/profiles.ts';
import { readSettings } from '../client/settings.ts';
import { COMMAND_IDS, COMMANDS } from '../oclif/plugin.ts';
import type { SvcConfig } from '../oclif/svc-config.ts';
import type { Io } from '../terminal/io.ts';
import { type Cursor, type FlagInfo, parseCursor } from './cursor.ts';
import { listNames, type Where } from './names.ts';
import { type Source, sourceOf } from './values.ts';

export interface Candidate {
  text: string;
  /** A description, for shells that show one. */
  description?: string;
}

export interface Completion {
  candidates: Candidate[];
  /** Whether the shell should offer files or folders instead. */
  files: 'files' | 'folders' | null;
}

const GLOBALS = { ...globalFlags, ...envFlag } as unknown as Record<string, FlagInfo>;
const NOTHING: Completion = { candidates: [], files: null };

/** Candidates at the cursor. The arguments are those after `svc`; the last one may be incomplete. */
export async function complete(args: readonly string[], config: SvcConfig): Promise<Completion> {
  const cursor = await parseCursor(args, GLOBALS);
  const { candidates, files } = await listCandidates(cursor, config);
  // A complete prefix, such as a namespace, is not a candidate for itself.
  const more = (text: string) => text !== cursor.current || !/[./]$/.test(text);
  const matching = candidates.filter(({ text }) => text.startsWith(cursor.current) && more(text));
  return { files, candidates: matching.map((one) => ({ ...one, text: cursor.prefix + one.text })) };
}

async function listCandidates(cursor: Cursor, config: SvcConfig): Promise<Completion> {
  if (cursor.target !== null) {
    const source = sourceOf(cursor.target, cursor.options);
    if (source !== null) return valuesOf(source, cursor, config.io);
    // `svc sql` is a command and the topic of others.
    const isFirst = cursor.args.length === 0 && Object.keys(cursor.optionValues).length === 0;
    return cursor.id !== null && isFirst ? { candidates: nextCommandParts([cursor.id], config), files: null } : NOTHING;
  }
  if (cursor.current.startsWith('-')) return { candidates: optionsOf(cursor.flags), files: null };
  return { candidates: nextCommandParts(cursor.incomplete, config), files: null };
}

/** The next word of every command that starts with these words, with its description. */
function nextCommandParts(incomplete: readonly string[], config: SvcConfig): Candidate[] {
  const head = incomplete.length === 0 ? '' : `${incomplete.join(' ')} `;
  const next = new Map<string, string>();
  for (const id of COMMAND_IDS.filter((one) => one.startsWith(head))) {
    const part = id.slice(head.length).split(' ')[0]!;
    const commandId = head + part;
    if (next.has(part)) continue;
    next.set(part, COMMANDS[commandId]?.summary ?? config.findTopic(commandId.replaceAll(' ', ':'))?.description ?? '');
  }
  return [...next].map(([text, description]) => ({ text, description }));
}

function optionsOf(flags: Record<string, FlagInfo>): Candidate[] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => !hidden)
    .flatMap(([name, { description = '', allowNo }]) => [
      { text: `--${name}`, description },
      ...(allowNo ? [{ text: `--no-${name}`, description: `the opposite of --${name}` }] : []),
    ]);
}

async function valuesOf(source: Source, cursor: Cursor, io: Io): Promise<Completion> {
  if ('files' in source) return { candidates: [], files: source.files };
  return { candidates: (await textsOf(source, cursor, io)).map((text) => ({ text })), files: null };
}

async function textsOf(
  source: Exclude<Source, { files: unknown }>,
  cursor: Cursor,
  io: Io,
): Promise<readonly string[]> {
  const { optionValues, current, args } = cursor;
  if ('values' in source) return source.values;
  if ('profiles' in source) return Object.keys(readProfiles(io));
  const { url, token, env, allowInsecure } = await readSettings(io, optionValues);
  const signed = { url: url.value, token: token.value, allowInsecure };
  const where: Where = { env: env.value, namespace: optionValues.ns };
  const names = (kind: Parameters<typeof listNames>[0], more: Partial<Where> = {}) =>
    listNames(kind, { ...where, ...more }, signed, io);
  if ('versions' in source)
    return names('versions', { repository: source.versions === 'of the argument' ? args[0] : undefined });
  if ('names' in source) return names(source.names);
  if ('scope' in source) return scopes(current, names);
  // Completes the namespace first, then the tables in it.
  const dot = current.lastIndexOf('.');
  const namespaces = (await names('namespaces')).map((path) => `${path}.`);
  if (dot === -1) return namespaces;
  const namespace = current.slice(0, dot);
  const tables = (await names(source.tables, { namespace })).map((name) => `${namespace}.${name}`);
  return [...tables, ...namespaces];
}

/** Completes `<environment>/<namespace>/<table>` part by part. */
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
