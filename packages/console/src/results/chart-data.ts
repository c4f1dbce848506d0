import type { ResultPage } from '@svc/sdk/browser';
import { cellText, isNumeric } from './cell-text.ts';

export const CHART_KINDS = { line: 'Line', bar: 'Bars', scatter: 'Points' } as const;
export type ChartKind = keyof typeof CHART_KINDS;

/** What an axis shows: numbers, times of a calendar or of the viewer's clock, or texts at equal distances. */
export type Scale = 'number' | 'calendar' | 'clock' | 'text';

export interface ChartChoice {
  readonly kind: ChartKind;
  /** Indexes of columns. */
  readonly x: number;
  readonly y: number;
}

export interface ChartData {
  readonly scale: Scale;
  /** Numbers, milliseconds, or the positions of the texts; ascending. */
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  /** The texts of the x axis, if it has some. */
  readonly labels: readonly string[];
  /** Rows without a value for the x axis. */
  readonly omitted: number;
}

type Columns = ResultPage['columns'];

/** What an address has of a choice: a kind and names of columns. */
interface Chosen {
  readonly kind?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
}

export function scaleOf(type: string): Scale {
  if (isNumeric(type)) return 'number';
  if (/^timestamptz/i.test(type)) return 'clock';
  return /^(date|timestamp)/i.test(type) ? 'calendar' : 'text';
}

/**
 * The chart that was chosen, as far as the result has its columns. Otherwise, times and texts are on the x axis, and the first numbers are
 * on the y axis. Null without a column of numbers.
 */
export function chartChoice(columns: Columns, chosen: Chosen): ChartChoice | null {
  const scales = columns.map(({ type }) => scaleOf(type));
  const named = (name: string | undefined) => columns.findIndex((column) => column.name === name);
  const first = (wanted: (scale: Scale, index: number) => boolean) => scales.findIndex(wanted);
  const namedY = named(chosen.y);
  const namedX = named(chosen.x);
  const numbers = scales.flatMap((scale, index) => (scale === 'number' && index !== namedX ? [index] : []));
  const time = first((scale) => scale === 'calendar' || scale === 'clock');
  const text = first((scale) => scale === 'text');
  // Without another column, the first numbers are usually ids or the like.
  const offset = numbers.length > 1 && namedX === -1 && time === -1 && text === -1 ? 1 : 0;
  const y = scales[namedY] === 'number' ? namedY : (numbers[offset] ?? first((scale) => scale === 'number'));
  if (y === -1) return null;
  const x = [namedX, time, text, first((scale, index) => scale === 'number' && index !== y), y].find(
    (each) => each >= 0,
  );
  const fallback = scales[x ?? y] === 'text' ? 'bar' : 'line';
  const kind = (Object.keys(CHART_KINDS) as ChartKind[]).find((each) => each === chosen.kind) ?? fallback;
  return { kind, x: x ?? y, y };
}

/** A value as a number; null for what isn't finite, which a chart can't show. */
function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Times without a zone are read as UTC, and shown so. */
function timeOf(value: unknown, scale: Scale): number | null {
  if (typeof value !== 'string') return null;
  const text = scale === 'calendar' && value.includes('T') ? `${value}Z` : value;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** The points of a chart, in the order of the x axis. Texts keep the order of the rows. */
export function chartData({ columns, rows }: Pick<ResultPage, 'columns' | 'rows'>, { x, y }: ChartChoice): ChartData {
  const scale = scaleOf(columns[x]?.type ?? '');
  if (scale === 'text')
    return {
      scale,
      x: rows.map((_, index) => index),
      y: rows.map((row) => numberOf(row[y])),
      labels: rows.map((row) => cellText(row[x]) ?? 'null'),
      omitted: 0,
    };
  const points = rows.flatMap((row) => {
    const at = scale === 'number' ? numberOf(row[x]) : timeOf(row[x], scale);
    return at === null ? [] : [[at, numberOf(row[y])] as const];
  });
  points.sort(([a], [b]) => a - b);
  return {
    scale,
    x: points.map(([at]) => at),
    y: points.map(([, value]) => value),
    labels: [],
    omitted: rows.length - points.length,
  };
}
