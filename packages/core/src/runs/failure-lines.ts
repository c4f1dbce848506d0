import type { Failure } from '../errors/index.ts';

/** The lines of the log about an error of a task. */
export function failureLines({ detail, remedy }: Failure, seconds: string): string[] {
  const failed = `failed after ${seconds} s: ${detail.split('\n', 1)[0]}`;
  return remedy === null ? [failed] : [failed, `next: ${remedy}`];
}

/** Whether the service wrote the line about an error of a task. */
export const isFailureLine = (line: string): boolean => line.startsWith('failed after ') || line.startsWith('next: ');
