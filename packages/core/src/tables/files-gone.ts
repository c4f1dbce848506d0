/** For a table that exists although one of its files doesn't. */
export const FILES_GONE = {
  code: 'files-gone',
  detail:
    'A file of the table is gone from storage: the table was dropped meanwhile, or something other than the service removed the file.',
  remedy: 'put the file back, or go back to a version that is whole: svc table rollback',
} as const;
