import { findIsolation, type Landlock } from '../isolation/index.ts';
import { findPython, type InstalledTool } from '../programs/find-tools.ts';

/**
 * Detects whether Landlock works on this machine; prints a note if it doesn't. The system's interpreter sets its rules: tasks of
 * root have another account, which can't read interpreters in root's home.
 * @param folders that its tasks must be able to enter
 */
export async function landlockHere(
  folders: readonly string[],
): Promise<{ isolation: Landlock; python: InstalledTool } | null> {
  const path = process.getuid?.() === 0 ? '/usr/bin:/bin' : (process.env['PATH'] ?? '');
  const python = await findPython(null, null, path);
  let found: Landlock | null = null;
  for (const home of folders) {
    const { isolation, note } = await findIsolation(
      {
        isolation: 'landlock',
        taskNetwork: [],
        isolationReadable: [],
        home,
        storageLocation: undefined,
        externalLocations: [],
      },
      path,
      python,
    );
    found = isolation.kind === 'landlock' ? isolation : null;
    if (found === null) {
      console.warn(`Landlock isn't tested here: ${note}`);
      return null;
    }
  }
  return found === null || python === null ? null : { isolation: found, python };
}
