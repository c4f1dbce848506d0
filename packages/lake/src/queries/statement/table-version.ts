import { isLosslessNumber } from 'lossless-json';
import { GuardError, type Node } from './guard-error.ts';

/**
 * The version of a table that a query requests: a snapshot id in digits, the name of a branch or tag, or the version
 * that was current at a point in time, in the engine's format (UTC if it has no zone).
 */
export type TableVersion = { readonly kind: 'snapshot' | 'ref' | 'time'; readonly text: string };

const FORMS =
  "Write AT (VERSION => snapshot id), AT (VERSION => 'branch or tag') or AT (TIMESTAMP => TIMESTAMP '2026-01-31 12:00:00').";

const TIME_TYPES = ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'DATE'];

/** Reads an `at_clause` of the parser's tree. Only these three forms are accepted. */
export function tableVersion(clause: Node, table: Node): TableVersion {
  const expression = clause['expr'] as Node;
  const unsupported = () => new GuardError('not-supported', `This form of AT (…) isn't available. ${FORMS}`, table);
  if (clause['unit'] === 'VERSION') {
    const value = constantOf(expression);
    if (value === null) throw unsupported();
    return /^-?\d+$/.test(value.text) && value.isNumber
      ? { kind: 'snapshot', text: value.text }
      : { kind: 'ref', text: value.text };
  }
  if (clause['unit'] !== 'TIMESTAMP') throw unsupported();
  const value = constantOf(isTimeCast(expression) ? (expression['child'] as Node) : expression);
  if (value === null || value.isNumber) throw unsupported();
  return { kind: 'time', text: value.text };
}

function isTimeCast(expression: Node): boolean {
  const type = expression['cast_type'] as Node | undefined;
  return expression['class'] === 'CAST' && !expression['try_cast'] && TIME_TYPES.includes(String(type?.['id']));
}

function constantOf(expression: Node): { text: string; isNumber: boolean } | null {
  if (expression['class'] !== 'CONSTANT') return null;
  const { type, is_null: isNull, value } = expression['value'] as Node;
  const id = String((type as Node | undefined)?.['id']);
  if (isNull === true) return null;
  if (id === 'VARCHAR' && typeof value === 'string') return { text: value, isNumber: false };
  if (['INTEGER', 'BIGINT'].includes(id) && isLosslessNumber(value)) return { text: value.value, isNumber: true };
  return null;
}
