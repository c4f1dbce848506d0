import type { ChildResult } from '../programs/child-process.ts';
import { redactor } from '../programs/redaction.ts';
import { ProjectError } from './project-error.ts';
import type { RepositoryAddress, RepositoryCredential } from './repository-address.ts';

/** Removes every form of the credential from git's output. */
function redact(text: string, credential: RepositoryCredential): string {
  const { username = '', password = '', sshKey = '' } = credential;
  const pairs = [
    { username, password },
    ...sshKey.split('\n').map((line) => ({ username: '', password: line.trim() })),
  ];
  return redactor(pairs)(text);
}

/** Explains a failure of git with cause and remedy, without any credential. `late`: the time limit killed git. */
export function fetchFailure(
  step: string,
  result: ChildResult,
  address: RepositoryAddress,
  credential: RepositoryCredential,
  late: boolean,
): ProjectError {
  const stderr = redact(result.stderr, credential);
  const where = address.shown;
  if (result.outcome === 'not-started' || result.exitCode === 127)
    return new ProjectError('git-missing', "git couldn't be started", 'install git');
  if (late)
    return new ProjectError(
      'fetch-timeout',
      `fetching ${where} took too long`,
      'try again, or make the project smaller',
    );
  if (result.outcome === 'aborted') return new ProjectError('cancelled', `fetching ${where} was cancelled`, null);
  if (result.signal === 'SIGXFSZ' || /file size limit|SIGXFSZ|signal 25/i.test(stderr)) {
    return new ProjectError(
      'project-too-large',
      `${where} is larger than the limit for projects`,
      'keep data out of it',
    );
  }
  if (
    /couldn't find remote ref|not our ref|bad object|unadvertised object|no such remote ref|ambiguous argument/i.test(
      stderr,
    )
  ) {
    return new ProjectError(
      'ref-not-found',
      `${where} doesn't have that branch, tag or commit`,
      'name an existing one with --ref',
    );
  }
  if (
    /authentication failed|could not read (username|password)|permission denied|access denied|terminal prompts disabled|HTTP (401|403)|error: 40[13]/i.test(
      stderr,
    )
  ) {
    return new ProjectError(
      'repository-not-allowed',
      `${where} rejected the credential`,
      "set the repository's credential_secret again",
    );
  }
  if (/host key verification failed/i.test(stderr)) {
    return new ProjectError(
      'host-key-unknown',
      `the host key of ${where} is unknown`,
      'add its keys to known_hosts of the secret',
    );
  }
  if (/error: 30\d|redirect/i.test(stderr)) {
    return new ProjectError(
      'repository-moved',
      `${where} returned a redirect`,
      'register the URL that it redirects to',
    );
  }
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 500) ?? '';
  return new ProjectError('fetch-failed', `git couldn't ${step} from ${where}: ${last}`, "check the repository's URL");
}
