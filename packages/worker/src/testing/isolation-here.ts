import { findIsolation, type Isolation } from '../isolation/index.ts';

/** How this machine isolates tasks; says once a file when it cannot. */
export async function isolationHere(home: string): Promise<Isolation> {
  const { isolation, note } = await findIsolation(
    { isolation: 'auto', isolationReadable: [], home, storageLocation: undefined, externalLocations: [] },
    process.env['PATH'] ?? '',
  );
  if (note !== null) console.warn(`nothing is isolated here: ${note}`);
  return isolation;
}
