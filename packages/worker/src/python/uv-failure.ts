import { trimEnd } from '@svc/core/contract';
import { addressOf, addressText } from '@svc/core/package-indexes';
import { nameCommand, rotateCommand } from '@svc/core/secrets';
import { RunError } from '../work/run-error.ts';
import { uvMissingError } from './missing-tools.ts';

/** An index as error messages describe it. */
export interface FailedIndex {
  /** Null for the operator's index. */
  readonly name: string | null;
  readonly url: string;
  /** Name of its secret and the environment that contains it, or null. */
  readonly secret: { readonly name: string; readonly environment: string } | null;
}

export interface FailureContext {
  readonly indexes: readonly FailedIndex[];
  /** Connections that the guard refused, as `scheme://host:port`. */
  readonly refused: readonly string[];
  /** The build exceeded its download limit. */
  readonly tooLarge: boolean;
}

const SHOWN = 2000;

/** The remedy for a full disk of the worker. */
export const FREE_SPACE = 'have the operator of the worker free space in its work folder';

/** Explains a failure of uv with cause and remedy. `said` contains its last lines, redacted. */
export function uvFailure(outcome: string, output: readonly string[], context: FailureContext): RunError {
  if (outcome === 'not-started') return uvMissingError();
  if (outcome === 'aborted') return new RunError('cancelled', 'building the Python environment was cancelled', null);
  if (outcome === 'timeout') {
    return new RunError('environment-timeout', 'building the Python environment took too long', 'try again');
  }
  const text = output
    .filter((line) => line.trim() !== '')
    .join('\n')
    .slice(-SHOWN);
  if (/no space left on device|disk quota exceeded/i.test(text))
    return new RunError(
      'worker-disk-full',
      `the disk of the worker is full, so the Python environment couldn't be built\nuv printed:\n${text}`,
      FREE_SPACE,
    );
  const { cause, remedy } = explain(text, context);
  // The first line must name the cause, because lists show only that line.
  const why = cause ?? summarize(text);
  return new RunError(
    'environment-failed',
    `the Python environment couldn't be built: ${why}\nuv printed:\n${text}`,
    remedy,
  );
}

/** Shortens a chain of causes in uv's output to its start and end. */
function summarize(text: string): string {
  const first = (text.split('\n', 1)[0] ?? '').replace(/^error: /, '');
  const innermost = innermostOf(text);
  return innermost === null ? first : `${first}: ${innermost}`;
}

function innermostOf(text: string): string | null {
  return [...text.matchAll(/^[ \t]*(?:cause|Caused by): (.*)$/gm)].at(-1)?.[1] ?? null;
}

interface Explanation {
  cause: string | null;
  remedy: string;
}

function explain(text: string, { indexes, refused, tooLarge }: FailureContext): Explanation {
  if (tooLarge) {
    const cause = 'the locked packages exceed the download limit of a build';
    return {
      cause,
      remedy: 'lock fewer or smaller packages, or have the operator raise SVC_RUN__PACKAGE_DOWNLOAD_LIMIT',
    };
  }
  if (refused.length > 0) {
    const cause = `the build tried to reach ${refused.join(', ')}, which isn't in the lock file or a registered index, or whose address is blocked`;
    return {
      cause,
      remedy: 'use an index that serves its own files without redirects, and lock again',
    };
  }
  const status = /\((\d{3}) [^()]*\) for url \((\S+?)\)/.exec(text);
  if (status !== null) return ofStatus(Number(status[1]), status[2]!, indexes);
  // bounded: the text has at most SHOWN characters.
  const withoutWheel =
    /`([^`=]+)==([^`\s]+) @[^`]*` (?:can't be installed because .*no binary|doesn't have a .*wheel)/.exec(text);
  if (withoutWheel !== null) {
    return {
      cause: `the package ${withoutWheel[1]} ${withoutWheel[2]} has no wheel for the worker's platform and Python`,
      remedy: 'choose a version with a wheel, or put a wheel into wheelhouse, and lock again',
    };
  }
  if (/hash mismatch/i.test(text)) {
    const cause = "a file isn't the one that was locked: its hash differs";
    return {
      cause,
      remedy: 'find out why the index serves a different file; if that file is correct, lock again with uv lock',
    };
  }
  return (
    ofConnection(text) ??
    ofArchive(text) ?? { cause: null, remedy: "lock again with uv lock for the worker's Python, and deploy" }
  );
}

/**
 * All of these, and errors about damaged files, start with "Failed to download". Only the causes below distinguish them.
 */
function ofConnection(text: string): Explanation | null {
  const remedy = 'check that the worker can reach the package index, and try again';
  if (/(?:operation|connection|request) timed out|network timeout|deadline has elapsed/i.test(text)) {
    return { cause: "the package index didn't respond in time", remedy };
  }
  if (/end of file before message length|connection (?:reset|closed|aborted)|broken pipe|unexpected eof/i.test(text)) {
    return { cause: 'the package index interrupted its response', remedy };
  }
  if (/error sending request|client error \(connect\)|dns error|connection refused|tcp connect error/i.test(text)) {
    const why = innermostOf(text);
    return { cause: `the package index couldn't be reached${why === null ? '' : `: ${why}`}`, remedy };
  }
  return null;
}

/** An archive is opened before its hash is compared, so a wrong file may fail here. */
function ofArchive(text: string): Explanation | null {
  // bounded: the text has at most SHOWN characters.
  const file = /failed to (?:extract|unzip)[^:\n]*: (\S+)/i.exec(text);
  // A damaged stream inside the archive has its own messages.
  const outside = /i\/o operation failed|permission denied/i.test(text);
  if (!(file !== null && !outside) && !/corrupt deflate|deflate (?:decompression|stream)/i.test(text)) return null;
  const cause = `${file === null ? 'a file' : `the file ${file[1]}`} is damaged or isn't the one that was locked: ${innermostOf(text)}`;
  return {
    cause,
    remedy: 'find out why the index serves that file; if it is correct, lock again with uv lock',
  };
}

function ofStatus(status: number, url: string, indexes: readonly FailedIndex[]): Explanation {
  const index = indexOf(url, indexes);
  const name = index?.name ?? null;
  const who = name === null ? 'the package index' : `the package index ${name}`;
  if (status === 401 || status === 403) {
    if (index?.secret != null) {
      const { name: secret, environment } = index.secret;
      const cause = `${who} returned ${status}: it rejected the credential of the secret ${secret}`;
      return { cause, remedy: rotateCommand(secret, environment) };
    }
    const remedy =
      name === null
        ? 'have the operator check SVC_RUN__INDEX_URL'
        : nameCommand({ kind: 'package-index', name }, 'SECRET');
    return { cause: `${who} returned ${status}: it requires a credential, but none is registered for it`, remedy };
  }
  if (status === 404 || status === 410) {
    return {
      cause: `${who} returned ${status}: it no longer has that file`,
      remedy: 'lock again with uv lock, and deploy',
    };
  }
  return {
    cause: `${who} returned ${status}`,
    remedy: 'try again; if it keeps failing, contact the operator of the index',
  };
}

/**
 * Finds the index that a URL belongs to: the one with the longest matching path, or else one on the same host and port.
 */
function indexOf(url: string, indexes: readonly FailedIndex[]): FailedIndex | undefined {
  const origin = addressOf(url);
  if (origin === null) return undefined;
  const sameOrigin = indexes.filter((index) => addressText(addressOf(index.url) ?? origin) === addressText(origin));
  const above = sameOrigin.filter((index) => url.startsWith(`${trimEnd(index.url, '/').replace(/\/\+?simple$/, '')}/`));
  return (above.length > 0 ? above : sameOrigin).sort((a, b) => b.url.length - a.url.length)[0];
}
