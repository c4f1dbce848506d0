import * as z from 'zod';
import { columnName, description, tableName } from '../access/names.ts';
import { formatColumnType, parseColumnType } from '../column-types/index.ts';
import { EXTERNAL_FORMATS } from './schemas.ts';

export const columnType = z.string().transform((text, context) => {
  const parsed = parseColumnType(text);
  if (parsed.ok) return formatColumnType(parsed.type);
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

export const newColumns = z
  .array(
    z.strictObject({
      name: columnName,
      type: columnType,
      nullable: z.boolean().default(true),
      description: description.nullable().default(null),
    }),
  )
  .min(1, 'must name at least one column')
  .max(2000, 'must be at most 2,000 columns')
  .superRefine((columns, context) => {
    const seen = new Set<string>();
    columns.forEach(({ name }, i) => {
      const key = name.toLowerCase();
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [i, 'name'], message: `duplicate column ${name}` });
      seen.add(key);
    });
  });

export const IDENTIFIER_FIELDS =
  'required columns that together identify a row: the default key of loads with mode merge';

export const newTableSchema = z
  .strictObject({
    name: tableName,
    kind: z
      .enum(['managed', 'external'], { error: 'must be managed or external: deploys create views and artifacts' })
      .default('managed'),
    columns: newColumns.optional(),
    identifier_fields: z.array(z.string()).optional().meta({ description: IDENTIFIER_FIELDS }),
    description: description.nullable().default(null),
    expire_after: z.int().min(1).max(3650).optional(),
    location: z.string().max(2048).optional(),
    format: z.enum(EXTERNAL_FORMATS).optional(),
  })
  .superRefine((table, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (table.kind === 'managed') {
      if (!table.columns) report('columns', 'a managed table requires columns');
      if (table.location !== undefined) report('location', 'is only valid for kind external');
      if (table.format !== undefined) report('format', 'is only valid for kind external');
    } else {
      if (table.location === undefined) report('location', 'an external table requires the location of its files');
      if (table.format === undefined)
        report('format', `an external table requires its format: ${EXTERNAL_FORMATS.join(', ')}`);
      if (table.expire_after !== undefined) report('expire_after', 'is only valid for kind managed');
      if (table.identifier_fields !== undefined) report('identifier_fields', 'is only valid for kind managed');
    }
  });
export type NewTable = z.output<typeof newTableSchema>;
