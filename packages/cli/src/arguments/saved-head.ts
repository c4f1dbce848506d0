import { type FileHandle, open } from 'node:fs/promises';
import type { AuditFormerHead } from '@svc/sdk';
import { usageError } from '../cli-error.ts';

/** In an export, which may be long, the head is the last line. All other files with a head are short. */
const TAIL_BYTES = 65_536;

/** Reads the head from a file: a head, the JSON of a verification, or an export with `--heads`. The service validates its fields. */
export async function readSavedHead(path: string): Promise<AuditFormerHead> {
  const { text, isComplete } = await readTail(path);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const value = (isComplete ? objectIn(text) : null) ?? objectIn(lines.at(-1) ?? '');
  const head = value === null ? null : headIn(value);
  if (head !== null) return head;
  throw usageError(
    `${path} doesn't contain an audit log head. Save one with svc audit export --heads > FILE, or with svc audit verify --output json > FILE.`,
  );
}

function headIn(value: Record<string, unknown>): AuditFormerHead | null {
  const { signed_head: signed, head, sequence, hash } = value;
  if (isObject(signed)) return signed as unknown as AuditFormerHead;
  // A verification of a log without a signature, which is what 0.1 always returns.
  if (isObject(head)) return head as unknown as AuditFormerHead;
  return typeof sequence === 'number' && typeof hash === 'string' ? (value as unknown as AuditFormerHead) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

async function readTail(path: string): Promise<{ text: string; isComplete: boolean }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), 0, undefined, start);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), isComplete: start === 0 };
  } catch (error) {
    throw usageError(`Can't read the file ${path} for --head: ${(error as Error).message}`);
  } finally {
    await file?.close();
  }
}
