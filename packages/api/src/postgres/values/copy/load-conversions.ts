import type { ColumnType } from '@svc/core/column-types';
import { type ArrayTexts, parseArray } from '../array-literals.ts';
import { engineTime } from '../engine-times.ts';
import { booleanOf, byteaBytes } from '../parameter-text.ts';

/** The text that a load reads, for one that PostgreSQL reads. */
export type Conversion = (text: string) => string;

/** The conversion of a column's texts, or null if loads read the same ones. */
export function loadConversion(type: ColumnType): Conversion | null {
  switch (type.kind) {
    case 'boolean':
      return (text) => String(booleanOf(text));
    case 'binary':
      return (text) => byteaBytes(text).toString('base64');
    case 'date':
    case 'timestamp':
    case 'timestamptz': {
      const { kind } = type;
      return (text) => engineTime(kind, text);
    }
    case 'list':
      return listConversion(type.element);
    default:
      return null;
  }
}

/** Loads read lists as JSON, whose elements may be texts. A list that is JSON already stays as it is. */
function listConversion(element: ColumnType): Conversion {
  const convert = element.kind === 'list' ? null : loadConversion(element);
  const json = (items: ArrayTexts): unknown =>
    items.map((item) => {
      if (item === null) return null;
      if (typeof item !== 'string') return json(item);
      return convert === null ? item : convert(item);
    });
  return (text) => (text.trim().startsWith('{') ? JSON.stringify(json(parseArray(text))) : text);
}
