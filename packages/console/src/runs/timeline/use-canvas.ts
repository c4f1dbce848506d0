import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Hovered } from './hover-card.tsx';
import { type CanvasContent, TimelineCanvas } from './timeline-canvas.ts';

/** Draws the content, and returns what is below the pointer. */
export function useCanvas(
  canvas: RefObject<HTMLCanvasElement | null>,
  scroller: RefObject<HTMLElement | null>,
  content: CanvasContent,
): Hovered | null {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const drawn = useRef<TimelineCanvas>(null);
  const latest = useRef(content);
  useEffect(() => {
    const view = new TimelineCanvas(canvas.current!, scroller.current!, latest.current, setHovered);
    drawn.current = view;
    return () => view.dispose();
  }, [canvas, scroller]);
  const { rows, period, now, onMove, onOpen } = content;
  useEffect(() => {
    latest.current = { rows, period, now, onMove, onOpen };
    drawn.current?.show(latest.current);
  }, [rows, period, now, onMove, onOpen]);
  return hovered;
}
