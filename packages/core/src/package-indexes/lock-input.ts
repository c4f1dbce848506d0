import type { StoredAddress } from './stored-index.ts';

/** What a lock and the configuration beside it are judged by (specification 2.7). */
export interface LockInput {
  /** Null for a project without a lock: its configuration follows the same rules. */
  readonly lockText: string | null;
  readonly pyprojectText: string | null;
  /** A `uv.toml` beside `pyproject.toml`; the rules hold for both. */
  readonly uvTomlText: string | null;
  /** Names of the files in the project's `wheelhouse`. */
  readonly wheelhouse: readonly string[];
  readonly registered: readonly StoredAddress[];
  /** `SVC_RUN__INDEX_URL`; null when unset. */
  readonly operatorIndexUrl: string | null;
  /** `SVC_RUN__INDEX_FILE_HOSTS`: further hosts of files, which never get a credential. */
  readonly fileHosts: readonly string[];
  /** Configuration rule 2 holds at deploy only. */
  readonly moment: 'deploy' | 'execution';
}
