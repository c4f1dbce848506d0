import type { Asset } from '../asset.ts';

/** An SQL asset for tests, in the file that its name names. */
export function testAsset(
  name: string,
  { sql = 'SELECT 1 AS x', ...more }: Partial<Asset> & { sql?: string } = {},
): Asset {
  const namespace = name.split('.').slice(0, -1).join('.');
  const table = name.split('.').at(-1)!;
  return {
    name,
    namespace,
    table,
    kind: 'table',
    description: null,
    columns: {},
    dependsOn: [],
    tags: [],
    mode: 'replace',
    watermark: null,
    checks: [],
    file: `assets/${name.replaceAll('.', '/')}.sql`,
    line: 1,
    source: { language: 'sql', sql },
    ...more,
  };
}
