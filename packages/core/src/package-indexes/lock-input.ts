import type { StoredAddress } from './stored-index.ts';

/** Everything that the validation of a lock and its configuration depends on (LOCK-1 to LOCK-7). */
export interface LockInput {
  /** Null for a project without a lock; its configuration follows the same rules. */
  readonly lockText: string | null;
  readonly pyprojectText: string | null;
  /** A `uv.toml` beside `pyproject.toml`; the same rules apply to both. */
  readonly uvTomlText: string | null;
  /** The folders around the project in its repository, nearest first; none for an uploaded folder. */
  readonly outer?: readonly OuterConfiguration[];
  readonly wheelhouse: readonly string[];
  readonly registered: readonly StoredAddress[];
  /** `SVC_RUN__INDEX_URL`; null if unset. */
  readonly operatorIndexUrl: string | null;
  /** `SVC_RUN__INDEX_FILE_HOSTS`: further hosts that may serve files, which never get a credential (LOCK-5). */
  readonly fileHosts: readonly string[];
  /** A table with a registered index's name and another URL is refused at deploy only (LOCK-6). */
  readonly phase: 'deploy' | 'execution';
}

/** The configuration files of a folder around the project. */
export interface OuterConfiguration {
  /** Path from the project to the folder: `..`, `../..` and so on. */
  readonly folder: string;
  readonly pyprojectText: string | null;
  readonly uvTomlText: string | null;
}
