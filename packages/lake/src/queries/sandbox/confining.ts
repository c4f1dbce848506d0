import { literals } from '../sql-text.ts';

/** Statements after which an engine reads these files, writes below these folders, and no setting of it changes any more. */
export function confining(files: readonly string[], folders: readonly string[]): string {
  return [
    `SET allowed_paths = ${literals(files)}`,
    `SET allowed_directories = ${literals(folders)}`,
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ].join('; ');
}
