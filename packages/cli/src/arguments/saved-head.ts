import { type FileHandle, open } from 'node:fs/promises';
import type { AuditFormerHead } from '@svc/sdk';
import { usage } from '../exit.ts';

/** A head is the last line of an export, which may be long; everything else that holds one is short. */
const TAIL_BYTES = 65_536;

/** The head in a file: one by itself, a verification's JSON, or an export with `--heads`. The service checks its fields. */
export async function readSavedHead(path: string): Promise<AuditFormerHead> {
  const { text, whole } = await tailOf(path);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const value = (whole ? objectIn(text) : null) ?? objectIn(lines.at(-1) ?? '');
  const head = value === null ? null : headIn(value);
  if (head !== null) return head;
  throw usage(
    `${path} holds no head of the audit log. Save one with: svc audit export --heads > FILE, or svc audit verify --output json > FILE`,
  );
}

function headIn(value: Record<string, unknown>): AuditFormerHead | null {
  const { signed_head: signed, head, sequence, hash } = value;
  if (isObject(signed)) return signed as unknown as AuditFormerHead;
  // A verification of a log without a signature, as 0.1 always gives it.
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

async function tailOf(path: string): Promise<{ text: string; whole: boolean }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), 0, undefined, start);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), whole: start === 0 };
  } catch (error) {
    throw usage(`--head ${path} can't be read: ${(error as Error).message}`);
  } finally {
    await file?.close();
  }
}
