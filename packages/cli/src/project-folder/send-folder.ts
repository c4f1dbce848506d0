import { escaped } from '../output/escape.ts';
import { plural } from '../output/format.ts';
import type { CommandContext } from '../svc-command.ts';
import { ByteCounter, withProgress } from '../terminal/progress.ts';
import { readGitState } from './git-state.ts';
import { listProjectFiles, packFolder } from './pack-folder.ts';

const LISTED = 5;

const listed = (names: readonly string[]): string => {
  const more = names.length > LISTED ? `, and ${names.length - LISTED} more` : '';
  return escaped(names.slice(0, LISTED).join(', ')) + more;
};

/** What describes a sent folder in the request for a deploy. */
export interface SentFolder {
  bundle_id: string;
  commit?: string;
  dirty?: boolean;
}

/** Uploads a project folder without what it ignores and its links, and names both. @throws CliError if it isn't a project or contains a secret */
export async function sendFolder(command: CommandContext, folder: string): Promise<SentFolder> {
  const { files, ignored, links } = await listProjectFiles(folder);
  if (ignored.length > 0) command.note(`Not sent, because .gitignore or .svcignore excludes them: ${listed(ignored)}`);
  if (links.length > 0) command.note(`Not sent, because they are symbolic links: ${listed(links)}`);
  const state = await readGitState(folder, files);
  let counted = new ByteCounter();
  const packed = () => {
    counted = new ByteCounter();
    return counted.countBytes(packFolder(folder, files));
  };
  const describe = () => `Sending ${plural(files.length, 'file')}: ${counted.text()}`;
  const upload = () => command.client.deploys.uploadBundle(command.environment, packed);
  const { bundle_id } = await withProgress(command.io, describe, upload);
  return { bundle_id, ...state };
}
