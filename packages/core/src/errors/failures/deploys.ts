import type { FailureDefinition } from './definition.ts';

/** Failures of deploys: the project, its repository and its packages. */
export const DEPLOY_FAILURES = {
  'invalid-project': {
    of: 'deploys',
    cause: '`svc.yaml` or an asset has errors, which the message lists with file and line.',
    remedy: 'Correct them and deploy again.',
  },
  'lock-refused': {
    of: 'deploys, runs',
    cause: "`uv.lock` is outdated, or names a source or a file that isn't allowed.",
    remedy: 'Run `uv lock`, or have the package index registered as the message says.',
  },
  'index-credential': {
    of: 'deploys, runs',
    cause: 'A package index needs a secret that is missing, unbound or unusable in the environment.',
    remedy: 'Run the command in the record.',
  },
  'index-url-refused': {
    of: 'deploys, runs',
    cause: 'The stored URL of a package index breaks a rule.',
    remedy: 'Set another URL with `svc index update`.',
  },
  'secret-unusable': {
    of: 'deploys, tasks',
    cause: "A secret was revoked in the meantime, or can't be decrypted.",
    remedy: 'Set it again with `svc secret rotate`.',
  },
  superseded: {
    of: 'deploys',
    cause:
      'A later deploy of the repository finished first, or the project was rolled back or undeployed in the meantime.',
    remedy: 'Deploy again if this is the version you want.',
  },
  'project-too-large': {
    of: 'deploys, tasks',
    cause: 'The project has more files or bytes than allowed.',
    remedy: 'Keep data out of the repository.',
  },
  'bundle-refused': {
    of: 'deploys',
    cause: "The uploaded bundle isn't a valid archive of a project.",
    remedy: 'Deploy the folder with `svc deploy`.',
  },
  'bundle-gone': {
    of: 'deploys',
    cause: 'The uploaded bundle no longer exists.',
    remedy: 'Upload it again.',
  },
  'ref-refused': {
    of: 'deploys',
    cause: "The ref isn't a valid branch, tag or commit id.",
    remedy: 'Use the name of a branch or tag, or a full commit id.',
  },
  'ref-not-found': {
    of: 'deploys',
    cause: "The repository doesn't have that branch, tag or commit.",
    remedy: 'Name an existing one with `--ref`.',
  },
  'folder-refused': {
    of: 'deploys',
    cause: "The folder of the repository isn't a valid path.",
    remedy: 'Write it like `projects/sales`, with `svc repository update`.',
  },
  'folder-not-found': {
    of: 'deploys',
    cause: "The revision doesn't have the folder of the repository.",
    remedy: 'Correct the folder with `svc repository update`, or name another revision.',
  },
  'repository-url-refused': {
    of: 'deploys',
    cause: "The URL of the repository isn't allowed.",
    remedy: 'Register an https or ssh URL, or have the operator allow the local folder.',
  },
  'repository-credential': {
    of: 'deploys',
    cause: 'The secret of the repository is missing, unbound or unusable in the environment.',
    remedy: 'Run the command in the record.',
  },
  'repository-not-allowed': {
    of: 'deploys',
    cause: 'The git server rejected the credential.',
    remedy: 'Set the secret of the repository again.',
  },
  'repository-moved': {
    of: 'deploys',
    cause: 'The git server answered with a redirect.',
    remedy: 'Register the URL that it redirects to.',
  },
  'host-key-unknown': {
    of: 'deploys',
    cause: "The host key of the git server isn't in the secret.",
    remedy: 'Add its keys to `known_hosts` of the secret.',
  },
  'fetch-failed': {
    of: 'deploys',
    cause: "git couldn't fetch the repository.",
    remedy: 'Check its URL and the message of git.',
  },
  'fetch-timeout': {
    of: 'deploys',
    cause: 'Fetching the repository took too long.',
    remedy: 'Deploy again, or make the repository smaller.',
  },
  'git-missing': {
    of: 'deploys',
    cause: 'The worker has no git.',
    remedy: 'Have the operator install git where the worker runs.',
  },
} satisfies Record<string, FailureDefinition>;
