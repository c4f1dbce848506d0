import { type Bar, barAt, barsOf } from './bars.ts';
import { AXIS_HEIGHT, draw, type Lane, ROW_HEIGHT } from './draw.ts';
import type { Hovered } from './hover-card.tsx';
import { moved, type Period, zoomed } from './period.ts';
import type { Row } from './rows.ts';

export interface CanvasContent {
  readonly rows: readonly Row[];
  readonly period: Period;
  readonly now: number;
  /** Called once the user has moved the period. */
  readonly onMove: (period: Period) => void;
  readonly onOpen: (bar: Bar) => void;
}

/** Less than this, in pixels, is a click. */
const DRAG_FROM = 4;
const WHEEL_ZOOM = 0.002;
/** Wheels report many small steps; the address changes after the last one. */
const WHEEL_REST_MS = 200;

/** Draws the timeline, and pans and zooms it without rendering anything else. */
export class TimelineCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly scroller: HTMLElement;
  private readonly onHover: (hovered: Hovered | null) => void;
  private readonly disposed = new AbortController();
  private content: CanvasContent;
  /** What is shown while the user moves it. */
  private period: Period;
  private frame = 0;

  constructor(
    canvas: HTMLCanvasElement,
    scroller: HTMLElement,
    content: CanvasContent,
    onHover: (hovered: Hovered | null) => void,
  ) {
    [this.canvas, this.scroller, this.onHover] = [canvas, scroller, onHover];
    [this.content, this.period] = [content, content.period];
    const { signal } = this.disposed;
    canvas.addEventListener('pointerdown', (event) => this.drag(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.hover(event), { signal });
    canvas.addEventListener('pointerleave', () => this.onHover(null), { signal });
    scroller.addEventListener('scroll', () => this.redraw(), { signal });
    this.zoomWithWheel(signal);
    this.followAppearance(signal);
  }

  show(content: CanvasContent): void {
    [this.content, this.period] = [content, content.period];
    this.redraw();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.disposed.abort();
  }

  private redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { rows, now } = this.content;
      const height = Math.min(this.scroller.clientHeight, AXIS_HEIGHT + rows.length * ROW_HEIGHT);
      this.canvas.style.height = `${height}px`;
      draw(this.canvas, {
        period: this.period,
        now,
        width: this.canvas.clientWidth,
        height,
        lanes: this.lanes(height),
      });
    });
  }

  /** The lines in view. */
  private lanes(height: number): Lane[] {
    const { rows, now } = this.content;
    const { scrollTop } = this.scroller;
    const first = Math.floor(scrollTop / ROW_HEIGHT);
    const last = Math.ceil((scrollTop + height) / ROW_HEIGHT);
    return rows.slice(first, last).map(({ spans, job }, index) => ({
      top: AXIS_HEIGHT + (first + index) * ROW_HEIGHT - scrollTop,
      bars: barsOf(spans, this.period, this.canvas.clientWidth, now),
      nextStart: job?.next_run_at ? Date.parse(job.next_run_at) : null,
    }));
  }

  private move(period: Period): void {
    this.period = period;
    this.onHover(null);
    this.redraw();
  }

  private barAt({ clientX, clientY }: MouseEvent): Bar | null {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const y = clientY - top;
    if (y < AXIS_HEIGHT) return null;
    const row = this.content.rows[Math.floor((y - AXIS_HEIGHT + this.scroller.scrollTop) / ROW_HEIGHT)];
    if (row === undefined) return null;
    return barAt(barsOf(row.spans, this.period, width, this.content.now), clientX - left);
  }

  private hover(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    const bar = this.barAt(event);
    this.canvas.classList.toggle('on-bar', bar !== null);
    this.onHover(bar === null ? null : { bar, x: event.clientX, y: event.clientY });
  }

  private drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    const { canvas, period } = this;
    const length = period.to - period.from;
    let isDrag = false;
    const finished = new AbortController();
    const { signal } = finished;
    // Not `AbortSignal.any`, which some of the supported browsers don't have.
    this.disposed.signal.addEventListener('abort', () => finished.abort(), { signal });
    canvas.setPointerCapture(start.pointerId);
    const onMove = ({ clientX }: PointerEvent) => {
      const distance = clientX - start.clientX;
      isDrag ||= Math.abs(distance) >= DRAG_FROM;
      canvas.classList.toggle('dragging', isDrag);
      if (isDrag) this.move(moved(period, -(distance / canvas.clientWidth) * length));
    };
    const onEnd = (event: PointerEvent) => {
      finished.abort();
      canvas.classList.remove('dragging');
      if (isDrag) return this.content.onMove(this.period);
      const bar = event.type === 'pointerup' ? this.barAt(event) : null;
      if (bar !== null) this.content.onOpen(bar);
    };
    canvas.addEventListener('pointermove', onMove, { signal });
    canvas.addEventListener('pointerup', onEnd, { signal });
    canvas.addEventListener('pointercancel', onEnd, { signal });
  }

  /** Ctrl and the wheel zoom, sideways movement pans; other movement scrolls the lines. */
  private zoomWithWheel(signal: AbortSignal): void {
    let rest: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener('abort', () => clearTimeout(rest));
    const onWheel = (event: WheelEvent) => {
      const zooms = event.ctrlKey || event.metaKey;
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (!zooms && !event.shiftKey && Math.abs(sideways) <= Math.abs(event.deltaY)) return;
      event.preventDefault();
      const { left, width } = this.canvas.getBoundingClientRect();
      const length = this.period.to - this.period.from;
      const around = this.period.from + ((event.clientX - left) / width) * length;
      this.move(
        zooms
          ? zoomed(this.period, Math.exp(event.deltaY * WHEEL_ZOOM), around)
          : moved(this.period, (sideways / width) * length),
      );
      clearTimeout(rest);
      rest = setTimeout(() => this.content.onMove(this.period), WHEEL_REST_MS);
    };
    this.canvas.addEventListener('wheel', onWheel, { passive: false, signal });
  }

  /** Draws again when the size or the theme changes. */
  private followAppearance(signal: AbortSignal): void {
    const sizes = new ResizeObserver(() => this.redraw());
    sizes.observe(this.scroller);
    const themes = new MutationObserver(() => this.redraw());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    signal.addEventListener('abort', () => {
      sizes.disconnect();
      themes.disconnect();
    });
  }
}
