import type { Page } from 'playwright-core';
import { type Figures, figures } from '../database/timing.ts';

const FRAMES = 240;

/** Milliseconds between frames while the wheel turns at each of them. */
const script = (selector: string): string => `(async () => {
  const canvas = document.querySelector('${selector}');
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    const way = frame % 80 < 40 ? 1 : -1;
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: 25 * way, deltaY: 9 * way, cancelable: true }));
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
})()`;

/** The time between frames while what the selector finds is moved. */
export const framesWhileMoving = async (page: Page, selector: string): Promise<Figures> =>
  figures((await page.evaluate(script(selector))) as number[]);
