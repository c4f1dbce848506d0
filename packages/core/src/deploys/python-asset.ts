import { z } from 'zod';
import { isStorable } from '../contract/index.ts';
import { ASSET_KINDS, ASSET_MODES, type Asset, type AssetCheck, PYTHON_ENGINES, splitAssetName } from './asset.ts';
import { checkAsset, validateCheck } from './check-asset.ts';
import { expandCheck, kindOf } from './check-shorthand.ts';
import { type ProjectDiagnostic, UNSTORABLE } from './diagnostics.ts';

/** The output of `python -m svc._assets FOLDER`, which reads the sources without importing them. */
export const pythonListing = z.strictObject({
  assets: z.array(
    z.strictObject({
      table: z.string(),
      kind: z.enum(ASSET_KINDS),
      description: z.string().nullable(),
      columns: z.record(z.string(), z.string()),
      depends_on: z.array(z.string()),
      tags: z.array(z.string()),
      mode: z.enum(ASSET_MODES),
      watermark: z.string().nullable(),
      key: z.array(z.string()),
      delete_when: z.string().nullable(),
      lookback: z.string().nullable(),
      engine: z.enum(PYTHON_ENGINES).nullable().default(null),
      checks: z.array(z.record(z.string(), z.unknown())),
      file: z.string(),
      line: z.int().min(1),
      function: z.string(),
    }),
  ),
  problems: z.array(
    z.strictObject({
      file: z.string(),
      line: z.int().min(1).nullable(),
      message: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
});

type PythonAsset = z.infer<typeof pythonListing>['assets'][number];

/**
 * Converts the listing to assets. Throws ZodError for an invalid listing, which means that the reader and the service
 * have different versions.
 */
export function parsePythonAssets(listing: unknown): {
  readonly assets: readonly Asset[];
  readonly problems: readonly ProjectDiagnostic[];
} {
  const parsed = pythonListing.parse(listing);
  const assets: Asset[] = [];
  const problems: ProjectDiagnostic[] = [...parsed.problems];
  for (const found of parsed.assets) {
    const { table: name, depends_on: dependsOn, function: functionName, key, ...rest } = found;
    const { delete_when, lookback, engine, ...declared } = rest;
    const names = splitAssetName(name) ?? { namespace: '', table: name };
    const source = { language: 'python', function: functionName } as const;
    const { checks, wrong } = readChecks(found);
    const asset: Asset = {
      ...declared,
      ...{ name, ...names, dependsOn, source, checks },
      ...(key.length === 0 ? {} : { key }),
      ...(delete_when === null ? {} : { deleteWhen: delete_when }),
      ...(lookback === null ? {} : { lookback }),
      ...(engine === null ? {} : { engine }),
    };
    const invalid = [...wrong, ...checkAsset(asset), ...invalidChecks(asset), ...unstorable(asset)];
    if (invalid.length === 0) assets.push(asset);
    problems.push(...invalid);
  }
  return { assets, problems };
}

const sqlCheck = z.strictObject({ name: z.string(), sql: z.string(), severity: z.enum(['error', 'warn']).optional() });

function readChecks({ table, checks: raw, file, line }: PythonAsset): {
  checks: AssetCheck[];
  wrong: ProjectDiagnostic[];
} {
  const wrong: ProjectDiagnostic[] = [];
  const checks = raw.flatMap((check): AssetCheck[] => {
    if (kindOf(check) === null) {
      const { severity, ...rest } = sqlCheck.parse(check);
      return [severity === 'warn' ? { ...rest, severity } : rest];
    }
    const expanded = expandCheck(check, table);
    if (expanded.ok) return [expanded.check];
    wrong.push({ file, line, message: `asset ${table}: ${expanded.message}`, remedy: expanded.remedy });
    return [];
  });
  return { checks, wrong };
}

function invalidChecks({ name, checks, file, line }: Asset): ProjectDiagnostic[] {
  return checks.flatMap((check) => {
    const error = validateCheck(check);
    return error === null ? [] : [{ file, line, ...error, message: `asset ${name}: ${error.message}` }];
  });
}

function unstorable({
  description,
  columns,
  tags,
  checks,
  key = [],
  deleteWhen = '',
  file,
  line,
}: Asset): ProjectDiagnostic[] {
  const texts = [
    description ?? '',
    ...Object.entries(columns).flat(),
    ...tags,
    ...key,
    deleteWhen,
    ...checks.flatMap(({ name, sql }) => [name, sql]),
  ];
  return texts.every(isStorable) ? [] : [{ file, line, ...UNSTORABLE }];
}
