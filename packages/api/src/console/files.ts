import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that never changes, because its name contains a hash of its content. */
export interface ConsoleAsset {
  readonly type: string;
  readonly path: string;
  /** Encodings of which a compressed copy is beside the file. */
  readonly encodings: readonly string[];
}

export interface ConsoleFiles {
  readonly page: string;
  /** By name. Only the files in here are ever served. */
  readonly assets: ReadonlyMap<string, ConsoleAsset>;
}

/** Names of compressed copies end with these. */
const COPIES: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/**
 * The folder of the built console: that of `packages/console` in the workspace; a published `@svc/api` has a copy beside `dist`,
 * which its `prepack` script makes (scripts/copy-console.mjs). Null if it wasn't built.
 */
export function consoleFolder(): string | null {
  const packageRoot = new URL('../../', import.meta.url);
  const inWorkspace = existsSync(new URL('../../pnpm-workspace.yaml', packageRoot));
  const folder = fileURLToPath(
    inWorkspace ? new URL('../console/dist/', packageRoot) : new URL('console/', packageRoot),
  );
  return existsSync(join(folder, 'index.html')) ? folder : null;
}

export function readConsole(folder: string): ConsoleFiles {
  const names = new Set(readdirSync(join(folder, 'assets')));
  const assets = [...names].flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const encodings = Object.keys(COPIES).filter((encoding) => names.has(name + COPIES[encoding]));
    return [[name, { type, encodings, path: join(folder, 'assets', name) }] as const];
  });
  return { page: readFileSync(join(folder, 'index.html'), 'utf8'), assets: new Map(assets) };
}

/** The file to send, in one of the encodings. */
export const copyOf = ({ path }: ConsoleAsset, encoding: string): string => path + (COPIES[encoding] ?? '');
