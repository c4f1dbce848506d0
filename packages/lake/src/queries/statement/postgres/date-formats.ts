import type { GuardError, Node } from '../guard-error.ts';
import { type Rewriting, textNode, unsupported } from './rewriter.ts';

/** A part of a format: text that the engine's format writes, or an expression over the value. */
type Part =
  | { readonly format: string }
  | { readonly template: string; readonly format?: string; readonly wrap?: string };

/** Elements that the engine's format can write and read. With FM, numbers have no leading zeros. */
const ELEMENTS: Readonly<Record<string, { readonly format: string; readonly bare?: string }>> = {
  YYYY: { format: '%Y' },
  YY: { format: '%y' },
  IYYY: { format: '%G' },
  MM: { format: '%m', bare: '%-m' },
  DDD: { format: '%j', bare: '%-j' },
  DD: { format: '%d', bare: '%-d' },
  HH24: { format: '%H', bare: '%-H' },
  HH12: { format: '%I', bare: '%-I' },
  HH: { format: '%I', bare: '%-I' },
  MI: { format: '%M', bare: '%-M' },
  SS: { format: '%S', bare: '%-S' },
  MS: { format: '%g' },
  US: { format: '%f' },
  AM: { format: '%p' },
  PM: { format: '%p' },
  Mon: { format: '%b' },
  Dy: { format: '%a' },
  ID: { format: '%u' },
  IW: { format: '%V' },
};

/** Elements that only to_char has. */
const WRITTEN: Readonly<Record<string, Part>> = {
  Q: { template: 'quarter' },
  D: { template: 'weekday' },
  WW: { template: 'week' },
  MON: { template: 'strftime', format: '%b', wrap: 'upper' },
  mon: { template: 'strftime', format: '%b', wrap: 'lower' },
  DY: { template: 'strftime', format: '%a', wrap: 'upper' },
  dy: { template: 'strftime', format: '%a', wrap: 'lower' },
  am: { template: 'strftime', format: '%p', wrap: 'lower' },
  pm: { template: 'strftime', format: '%p', wrap: 'lower' },
  Month: { template: 'strftime', format: '%B', wrap: 'padded' },
  Day: { template: 'strftime', format: '%A', wrap: 'padded' },
};

const LONGEST = [...new Set([...Object.keys(ELEMENTS), ...Object.keys(WRITTEN)])].sort((a, b) => b.length - a.length);

/** Names and markers of the day are written in the letter case of the element; numbers accept any. */
const CASED = new Set([
  'Mon',
  'Dy',
  'AM',
  'PM',
  ...Object.keys(WRITTEN).filter((name) => name.length > 1 && name !== 'WW'),
]);

function elementAt(format: string, at: number): string | undefined {
  return LONGEST.find((name) => {
    const written = format.slice(at, at + name.length);
    return CASED.has(name) ? written === name : written.toUpperCase() === name;
  });
}

function partsOf(format: string, failure: () => GuardError): Part[] {
  const parts: Part[] = [];
  let isBare = false;
  for (let at = 0; at < format.length; ) {
    if (format[at] === '"') {
      const end = format.indexOf('"', at + 1);
      if (end === -1) throw failure();
      parts.push({ format: format.slice(at + 1, end).replaceAll('%', '%%') });
      at = end + 1;
      continue;
    }
    if (/^[ft]m/i.test(format.slice(at, at + 2))) {
      [isBare, at] = [true, at + 2];
      continue;
    }
    // The seconds of the day and the day of an ISO year, which start like other elements.
    if (/^(?:SSSS|IDDD)/i.test(format.slice(at))) throw failure();
    const name = elementAt(format, at);
    if (name === undefined) {
      if (/[\p{L}\p{N}\\]/u.test(format[at]!)) throw failure();
      parts.push({ format: format[at] === '%' ? '%%' : format[at]! });
      at++;
      continue;
    }
    at += name.length;
    // Ordinal suffixes, as in DDth.
    if (/^th/i.test(format.slice(at, at + 2))) throw failure();
    parts.push(partOf(name, isBare));
    isBare = false;
  }
  return parts;
}

function partOf(name: string, isBare: boolean): Part {
  const written = WRITTEN[name];
  if (written === undefined) {
    const { format, bare } = ELEMENTS[name]!;
    return { format: isBare && bare !== undefined ? bare : format };
  }
  if (!('template' in written) || !isBare) return written;
  // Without padding.
  if (written.wrap === 'padded') return { format: written.format! };
  return written;
}

/** The engine's format for parsing a text. */
export function dateFormat(format: string, name: string, at: Node): string {
  const failure = () => unknownFormat(format, name, at);
  const parts = partsOf(format, failure);
  if (parts.some((part) => 'template' in part)) throw failure();
  return parts.map((part) => part.format).join('');
}

/** `to_char` of a date or timestamp. */
export function timestampText(rewriting: Rewriting, node: Node, value: Node, format: string): Node {
  const parts = partsOf(format, () => unknownFormat(format, 'to_char', node));
  const texts: Node[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') texts.push(rewriting.call('strftime', [value, textNode(plain)], node));
    plain = '';
  };
  for (const part of parts) {
    if (!('template' in part)) plain += part.format;
    else {
      flush();
      const args = part.format === undefined ? [value] : [value, textNode(part.format)];
      const text = rewriting.call(part.template, args, node);
      texts.push(part.wrap === undefined ? text : rewriting.call(part.wrap, [text], node));
    }
  }
  flush();
  if (texts.length === 0) return rewriting.call('strftime', [value, textNode('')], node);
  return texts.reduce((before, after) => rewriting.call('concat', [before, after], node));
}

const unknownFormat = (format: string, name: string, at: Node): GuardError =>
  unsupported(`${name} doesn't support the format '${format}'. Supported elements: ${LONGEST.join(', ')}.`, at);
