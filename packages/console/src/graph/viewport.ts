import { NODE_HEIGHT, NODE_WIDTH, type Point } from './layout/index.ts';
import {
  type Box,
  fitted,
  panned,
  revealed,
  type Size,
  SUBTITLES_FROM,
  started,
  TITLES_FROM,
  type View,
  zoomed,
} from './view.ts';

const ANIMATION_MS = 160;
/** A pointer that moved less clicks. */
const CLICK_PIXELS = 4;
const WHEEL_ZOOM = 0.0022;
/** Of a wheel that reports lines. */
const LINE_PIXELS = 16;

export interface Viewport {
  readonly fit: () => void;
  readonly zoomBy: (factor: number) => void;
  readonly panBy: (x: number, y: number) => void;
  readonly reveal: (box: Box, isReadable: boolean) => void;
  readonly detach: () => void;
}

/**
 * Shows the graph of `layer` in `frame`, with pointers and the wheel. A movement changes one transform and renders nothing again, which
 * keeps it smooth with a thousand nodes.
 */
export function attachViewport(frame: SVGSVGElement, layer: SVGGElement, graph: Size): Viewport {
  const listening = new AbortController();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let view: View = { x: 0, y: 0, k: 1 };
  // What a changed size of the frame leads to, until the view is moved.
  let untouched: typeof fitted | null = started;
  let animation = 0;
  const size = (): Size => ({ width: frame.clientWidth, height: frame.clientHeight });
  const show = (changed: View) => {
    view = changed;
    layer.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.k})`);
    frame.dataset['detail'] = view.k < TITLES_FROM ? 'none' : view.k < SUBTITLES_FROM ? 'titles' : 'all';
  };
  const moveTo = (target: View) => {
    cancelAnimationFrame(animation);
    if (calm.matches) return show(target);
    const [start, from] = [performance.now(), view];
    const step = (now: number) => {
      const part = Math.min(1, (now - start) / ANIMATION_MS);
      const at = (a: number, b: number) => a + (b - a) * (1 - (1 - part) ** 3);
      show({ x: at(from.x, target.x), y: at(from.y, target.y), k: at(from.k, target.k) });
      if (part < 1) animation = requestAnimationFrame(step);
    };
    animation = requestAnimationFrame(step);
  };
  const change = (changed: View, isSmooth: boolean) => {
    untouched = null;
    if (isSmooth) return moveTo(changed);
    cancelAnimationFrame(animation);
    show(changed);
  };
  const middle = () => ({ x: size().width / 2, y: size().height / 2 });
  const resized = new ResizeObserver(() => {
    if (untouched !== null) show(untouched(size(), graph));
  });
  resized.observe(frame);
  const pan = (x: number, y: number) => change(panned(view, { x, y }, size(), graph), false);
  listenToPointers(frame, listening.signal, pan, (factor, at) => change(zoomed(view, factor, at), false));
  show(started(size(), graph));
  return {
    fit: () => {
      untouched = fitted;
      moveTo(fitted(size(), graph));
    },
    zoomBy: (factor) => change(zoomed(view, factor, middle()), true),
    panBy: pan,
    reveal: (box, isReadable) => {
      const changed = revealed(view, box, size(), isReadable);
      if (changed !== view) change(changed, true);
    },
    detach: () => {
      cancelAnimationFrame(animation);
      resized.disconnect();
      listening.abort();
    },
  };
}

/** The space of a node. */
export const boxOf = (at: Point): Box => ({ ...at, width: NODE_WIDTH, height: NODE_HEIGHT });

type Zoom = (factor: number, at: { readonly x: number; readonly y: number }) => void;

function listenToPointers(
  frame: SVGSVGElement,
  signal: AbortSignal,
  pan: (x: number, y: number) => void,
  zoom: Zoom,
): void {
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY * unit * WHEEL_ZOOM), pointOf(frame, [event]));
    else if (event.shiftKey && event.deltaX === 0) pan(-event.deltaY * unit, 0);
    else pan(-event.deltaX * unit, -event.deltaY * unit);
  };
  frame.addEventListener('wheel', onWheel, { passive: false, signal });
  const pointers = new Map<number, PointerEvent>();
  let moved = 0;
  const on = (
    type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
    handle: (event: PointerEvent) => void,
  ) => frame.addEventListener(type, handle, { signal });
  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, event);
  });
  on('pointermove', (event) => {
    const before = [...pointers.values()];
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, event);
    const after = [...pointers.values()];
    const [from, to] = [pointOf(frame, before), pointOf(frame, after)];
    moved += Math.hypot(to.x - from.x, to.y - from.y);
    if (moved < CLICK_PIXELS) return;
    // From here on, the pointer may leave the frame, and its release doesn't click.
    if (!frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
    pan(to.x - from.x, to.y - from.y);
    if (after.length === 2) zoom(spreadOf(after) / Math.max(1, spreadOf(before)), to);
  });
  const release = (event: PointerEvent) => pointers.delete(event.pointerId);
  on('pointerup', release);
  on('pointercancel', release);
  const stopDrag = (event: MouseEvent) => {
    // A click without a pointer is from the keyboard.
    if (event.detail > 0 && moved >= CLICK_PIXELS) {
      event.stopPropagation();
      event.preventDefault();
    }
    moved = 0;
  };
  frame.addEventListener('click', stopDrag, { capture: true, signal });
  frame.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
}

/** The middle of the pointers, in the frame. */
function pointOf(frame: SVGSVGElement, events: readonly MouseEvent[]): { x: number; y: number } {
  const { left, top } = frame.getBoundingClientRect();
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return { x: mean(events.map(({ clientX }) => clientX)) - left, y: mean(events.map(({ clientY }) => clientY)) - top };
}

/** The distance between two pointers. */
function spreadOf([a, b]: readonly PointerEvent[]): number {
  return a === undefined || b === undefined ? 0 : Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
