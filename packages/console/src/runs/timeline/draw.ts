import type { Bar } from './bars.ts';
import { type Period, ticks } from './period.ts';

export const AXIS_HEIGHT = 34;
export const ROW_HEIGHT = 48;
const TICK_WIDTH = 90;

/** A line in view: its position from the top of the canvas, its bars, and when its job starts next. */
export interface Lane {
  readonly top: number;
  readonly bars: readonly Bar[];
  readonly nextStart: number | null;
}

interface Scene {
  readonly period: Period;
  readonly lanes: readonly Lane[];
  readonly now: number;
  readonly width: number;
  readonly height: number;
}

const TOKENS = [
  '--surface',
  '--line',
  '--line-strong',
  '--text-soft',
  '--accent',
  '--good',
  '--bad',
  '--warn',
  '--info',
] as const;
type Palette = Record<(typeof TOKENS)[number], string>;

/** The colors of the theme in use. */
function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(TOKENS.map((token) => [token, style.getPropertyValue(token)])) as Palette;
}

const COLORS = {
  queued: '--line-strong',
  running: '--info',
  succeeded: '--good',
  failed: '--bad',
  cancelled: '--warn',
} as const satisfies Record<Bar['status'], keyof Palette>;
/** Failures are taller, because not everyone sees the color. */
const heightOf = (status: Bar['status']): number => (status === 'failed' ? 26 : 16);

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });

function tickText(at: number): string {
  const date = new Date(at);
  return date.getHours() === 0 && date.getMinutes() === 0 ? day.format(date) : clock.format(date);
}

/** Draws the axis and the lines in view. */
export function draw(canvas: HTMLCanvasElement, { period, lanes, now, width, height }: Scene): void {
  const scale = devicePixelRatio;
  const pixels = [Math.round(width * scale), Math.round(height * scale)] as const;
  // Assigning a size clears the canvas, even the same one, and is slow.
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const palette = paletteOf(canvas);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const position = (at: number) => ((at - period.from) / (period.to - period.from)) * width;

  const marks = ticks(period, Math.max(2, Math.floor(width / TICK_WIDTH)));
  context.fillStyle = palette['--line'];
  for (const at of marks) context.fillRect(Math.round(position(at)), AXIS_HEIGHT, 1, height);

  for (const lane of lanes) drawLane(context, lane, palette, position);

  const nowAt = position(now);
  if (nowAt >= 0 && nowAt <= width) {
    context.fillStyle = palette['--accent'];
    context.fillRect(Math.round(nowAt), AXIS_HEIGHT - 6, 1.5, height);
  }

  // The axis covers lines that are scrolled below it.
  context.fillStyle = palette['--surface'];
  context.fillRect(0, 0, width, AXIS_HEIGHT - 1);
  context.fillStyle = palette['--line'];
  context.fillRect(0, AXIS_HEIGHT - 1, width, 1);
  context.fillStyle = palette['--text-soft'];
  context.font = `500 11px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = 'middle';
  for (const at of marks) {
    const [text, left] = [tickText(at), position(at) + 5];
    if (left + context.measureText(text).width <= width) context.fillText(text, left, AXIS_HEIGHT / 2);
  }
}

function drawLane(
  context: CanvasRenderingContext2D,
  { top, bars, nextStart }: Lane,
  palette: Palette,
  position: (at: number) => number,
): void {
  const middle = top + ROW_HEIGHT / 2;
  context.fillStyle = palette['--line'];
  context.fillRect(0, top + ROW_HEIGHT - 1, context.canvas.width, 1);
  for (const { left, right, started, status } of bars) {
    const height = heightOf(status);
    context.fillStyle = palette['--line-strong'];
    if (started > left) context.fillRect(left, middle - 2, started - left, 4);
    context.fillStyle = palette[COLORS[status]];
    if (status === 'queued') context.fillRect(left, middle - 2, right - left, 4);
    else context.fillRect(started, middle - height / 2, Math.max(2, right - started), height);
  }
  if (nextStart !== null) {
    context.strokeStyle = palette['--accent'];
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(position(nextStart), middle, 4, 0, 2 * Math.PI);
    context.stroke();
  }
}
