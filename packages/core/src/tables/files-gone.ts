/** For a table that exists although one of its files doesn't. */
export const FILES_GONE = {
  code: 'files-gone',
  detail:
    'A file of the table is missing from storage: the table was dropped while this was running, or something other than svc deleted the file.',
  remedy: 'restore the file, or roll back to an intact snapshot: svc table rollback',
} as const;
