import { LosslessNumber } from 'lossless-json';
import { node as constant, typeOf } from '../constant-nodes.ts';
import type { Node } from '../guard-error.ts';
import { type Rewriting, textNode, unsupported } from './rewriter.ts';

/** Whether a format of to_char is for numbers. */
export const isNumberFormat = (format: string): boolean => /[09]/.test(format.replaceAll(/"[^"]*"/g, ''));

const FORMAT = /^(FM)?([09,]*)(?:[.D]([09]*))?$/i;

/** `to_char` of a number, for formats of digits, thousands separators and a decimal point. */
export function numberText(rewriting: Rewriting, node: Node, value: Node, format: string): Node {
  const match = FORMAT.exec(format.replaceAll(/G/gi, ','));
  const [, fill, whole = '', decimals = ''] = match ?? [];
  const digits = whole.replaceAll(',', '');
  const isGrouped = whole.includes(',');
  if (match === null || (isGrouped && whole !== grouped(digits)) || digits.length + decimals.length > 30) {
    const message = `to_char doesn't support the format '${format}' for numbers. Use 9, 0, commas between thousands, a decimal point and FM.`;
    throw unsupported(message, node);
  }
  const zeros = digits.includes('0') ? digits.length - digits.indexOf('0') : 0;
  const required = decimals.includes('0') ? decimals.lastIndexOf('0') + 1 : 0;
  const hasPoint = /[.D]/i.test(format);
  const [kept, width] =
    fill === undefined ? [decimals.length, whole.length + (hasPoint ? 1 : 0) + decimals.length + 1] : [required, 0];
  const numbers = [decimals.length, digits.length, zeros, kept, width];
  const tooLong = `${whole}${hasPoint ? '.' : ''}${decimals}`.replaceAll(/[09]/g, '#');
  const marks = [isGrouped ? ',' : '', hasPoint ? '.' : '', tooLong];
  const args = [value, ...numbers.map(integer), ...marks.map(textNode)];
  const text = rewriting.call('number_text', args, node);
  return fill === undefined ? text : rewriting.call('unpadded', [text], node);
}

/** The digits with a comma between thousands. */
function grouped(digits: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/.{3}/g) ?? [];
  return [digits.slice(0, first), ...groups].filter((group) => group !== '').join(',');
}

const integer = (value: number): Node =>
  constant({ type: typeOf('INTEGER'), is_null: false, value: new LosslessNumber(String(value)) });
