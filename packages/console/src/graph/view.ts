/** What of the graph is shown: a point of it is at `x + k * point.x` in the frame. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

const MIN_ZOOM = 0.04;
const MAX_ZOOM = 2.5;
/** Below these zooms, subtitles and titles are too small to read, and only cost time. */
export const SUBTITLES_FROM = 0.5;
export const TITLES_FROM = 0.28;
/** Everything is readable at this zoom. */
const READABLE = 0.6;
const MARGIN = 24;

/** Changes the zoom around a point of the frame, which stays where it is. */
export function zoomed({ x, y, k }: View, factor: number, at: { readonly x: number; readonly y: number }): View {
  const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, k * factor));
  const ratio = zoom / k;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, k: zoom };
}

/** Moves the graph, but leaves a part of it in the frame. */
export function panned(
  { x, y, k }: View,
  by: { readonly x: number; readonly y: number },
  frame: Size,
  graph: Size,
): View {
  const within = (value: number, length: number, space: number) =>
    Math.min(space - 2 * MARGIN, Math.max(2 * MARGIN - length * k, value));
  return { x: within(x + by.x, graph.width, frame.width), y: within(y + by.y, graph.height, frame.height), k };
}

/** The whole graph in the middle of the frame, not larger than it is. */
export function fitted(frame: Size, graph: Size): View {
  const fit = Math.min((frame.width - 2 * MARGIN) / graph.width, (frame.height - 2 * MARGIN) / graph.height, 1);
  const k = Math.max(MIN_ZOOM, fit);
  return { x: (frame.width - graph.width * k) / 2, y: (frame.height - graph.height * k) / 2, k };
}

/** Where a graph is shown first: whole, or its start if the whole would be unreadable. */
export function started(frame: Size, graph: Size): View {
  const whole = fitted(frame, graph);
  return whole.k >= TITLES_FROM ? whole : { x: MARGIN, y: MARGIN, k: READABLE };
}

/** The same view if the box is in the frame, otherwise one that has it in the middle; with `isReadable` at a readable zoom. */
export function revealed(view: View, box: Box, frame: Size, isReadable: boolean): View {
  const k = isReadable ? Math.max(view.k, READABLE) : view.k;
  const [left, top] = [view.x + box.x * view.k, view.y + box.y * view.k];
  const isInside =
    left >= 0 && top >= 0 && left + box.width * view.k <= frame.width && top + box.height * view.k <= frame.height;
  if (isInside && k === view.k) return view;
  return {
    x: frame.width / 2 - (box.x + box.width / 2) * k,
    y: frame.height / 2 - (box.y + box.height / 2) * k,
    k,
  };
}
