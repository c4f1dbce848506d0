import type { Browser, BrowserContextOptions } from 'playwright-core';
import { figures } from '../database/timing.ts';

export interface Load {
  /** Milliseconds until something is painted. */
  readonly paint: number;
  /** Milliseconds until the page has its title; null for pages whose title isn't known. */
  readonly shown: number | null;
  /** Over the network, as compressed. */
  readonly bytes: number;
}

export interface Loads {
  readonly cold: Load[];
  readonly warm: Load[];
}

/** Remembers when the page shows its title, which it does when its code runs and the session is known. */
const WATCH = `new MutationObserver((_, observer) => {
  if (document.querySelector('main h1') === null) return;
  window.shownAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

const PAINTED = `new Promise((done) => new PerformanceObserver((_, observer) => {
  if (performance.getEntriesByName('first-contentful-paint').length === 0) return;
  observer.disconnect();
  done(null);
}).observe({ type: 'paint', buffered: true }))`;

const LOAD = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  shown: window.shownAt ?? null,
  bytes: performance.getEntriesByType('navigation')[0].transferSize + performance.getEntriesByType('resource')
    .filter(({ initiatorType }) => initiatorType !== 'fetch' && initiatorType !== 'xmlhttprequest')
    .reduce((sum, { transferSize }) => sum + transferSize, 0),
})`;

/**
 * Opens a page once with nothing cached, and once more. svc's pages have a stream of events that never ends, so they are loaded when they
 * are shown; others when the network is idle.
 */
export async function loadTwice(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  { loads, isStreaming }: { loads: Loads; isStreaming: boolean },
): Promise<void> {
  const context = await browser.newContext(options);
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  for (const times of [loads.cold, loads.warm]) {
    await page.goto(url, { waitUntil: isStreaming ? 'load' : 'networkidle' });
    if (isStreaming) await page.locator('main h1').first().waitFor();
    await page.evaluate(PAINTED);
    times.push((await page.evaluate(LOAD)) as Load);
  }
  await context.close();
}

/** Medians of one number of a page: cold, then warm. */
export function medians({ cold, warm }: Loads, value: (load: Load) => number | null): (number | string)[] {
  return [cold, warm].map((loads) => {
    const numbers = loads.map(value).filter((number) => number !== null);
    return numbers.length === 0 ? '–' : Math.round(figures(numbers).p50);
  });
}
