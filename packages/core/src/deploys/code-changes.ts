import { type Asset, assetKey } from './asset.ts';

/** A Python file of a project. */
export interface CodeFile {
  /** Relative to the project's folder. */
  readonly file: string;
  /** Of its contents, in hexadecimal. */
  readonly sha256: string;
  /** Null if the file is large or isn't text. */
  readonly text: string | null;
}

/** What determines how the Python assets of a version are built. */
export interface VersionCode {
  readonly assets: readonly Asset[];
  readonly python: string | null;
  readonly lockHash: string | null;
  readonly code: readonly CodeFile[];
}

/** The files that one of the versions lacks, or whose contents differ, sorted. */
export function changedFiles(before: readonly CodeFile[], after: readonly CodeFile[]): string[] {
  const [old, current] = [before, after].map((files) => new Map(files.map(({ file, sha256 }) => [file, sha256])));
  return [...new Set([...old!.keys(), ...current!.keys()])]
    .filter((file) => old!.get(file) !== current!.get(file))
    .sort();
}

/** What differs in the files behind a Python asset (DEPLOY-22). The code of SQL assets is part of their settings. */
export function codeChanges(before: VersionCode, after: VersionCode): (asset: Asset) => string[] {
  const changed = changedFiles(before.code, after.code);
  const withAssets = new Set([...before.assets, ...after.assets].map(({ file }) => file));
  const modules = changed.some((file) => !withAssets.has(file));
  const old = new Map(before.assets.map((asset) => [assetKey(asset.name), asset]));
  return ({ name, file, source }) => {
    if (source.language !== 'python') return [];
    const moved = old.get(assetKey(name))?.file !== file;
    return [
      ...(moved || changed.includes(file) ? ['code'] : []),
      ...(modules ? ['modules'] : []),
      ...(before.lockHash === after.lockHash ? [] : ['lock']),
      ...(before.python === after.python ? [] : ['python']),
    ];
  };
}
