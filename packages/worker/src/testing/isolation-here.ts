import { findIsolation, type Isolation } from '../isolation/index.ts';

/** Detects how this machine isolates tasks; prints a note once per file if it can't. */
export async function isolationHere(home: string): Promise<Isolation> {
  const { isolation, note } = await findIsolation(
    {
      isolation: 'auto',
      taskNetwork: [],
      isolationReadable: [],
      home,
      storageLocation: undefined,
      externalLocations: [],
    },
    process.env['PATH'] ?? '',
  );
  if (note !== null) console.warn(`nothing is isolated here: ${note}`);
  return isolation;
}
