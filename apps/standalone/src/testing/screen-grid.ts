import type { Page } from 'playwright-core';

/** A picture as rows of cells, each with its brightness (4 levels) and density of edges (8 levels) as a digit to the base 32. */
export type ScreenGrid = readonly string[];

/** Runs in a browser, which has a decoder of pictures. */
const READ_GRID = `async (picture, columns) => {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const side = width / columns;
  const brightness = (at) => 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  const cell = (column, row) => {
    let [sum, edges, count] = [0, 0, 0];
    for (let y = Math.floor(row * side); y < Math.floor((row + 1) * side); y++)
      for (let x = Math.floor(column * side); x < Math.floor((column + 1) * side); x++) {
        const at = (y * width + x) * 4;
        const here = brightness(at);
        const beside = x === 0 ? here : brightness(at - 4);
        const above = y === 0 ? here : brightness(at - width * 4);
        if (Math.max(Math.abs(here - beside), Math.abs(here - above)) > 12) edges++;
        sum += here;
        count++;
      }
    // Lines and texts differ more in a root than in their share.
    return Math.min(3, Math.floor(sum / count / 64)) * 8 + Math.min(7, Math.floor(Math.sqrt(edges / count) * 12));
  };
  return Array.from({ length: Math.floor(height / side) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(column, row).toString(32)).join(''));
}`;

/**
 * Averages a PNG to cells, which don't show anti-aliasing and other texts of the same length. It is decoded in `decoder`, a page without
 * a content security policy.
 */
export const screenGrid = (decoder: Page, png: Buffer, columns: number): Promise<ScreenGrid> =>
  decoder.evaluate(`(${READ_GRID})(${JSON.stringify(png.toString('base64'))}, ${columns})`);

/** Where two grids of a page differ visibly. */
export interface ScreenDifference {
  /** The part of the cells that differ, from 0 to 1. */
  part: number;
  /** The rows with differences, each with its number and a `#` for a cell that differs. */
  rows: readonly string[];
}

export function screenDifference(before: ScreenGrid = [], after: ScreenGrid): ScreenDifference {
  if (before.length !== after.length || before[0]?.length !== after[0]?.length)
    return { part: 1, rows: [`${before.length} rows of cells are stored, ${after.length} are shown`] };
  const marks = after.map((row, at) =>
    [...row].map((cell, x) => (isDifferent(before[at]!.charAt(x), cell) ? '#' : '.')).join(''),
  );
  const all = marks.join('');
  return {
    part: all.replaceAll('.', '').length / all.length,
    rows: marks.flatMap((row, at) => (row.includes('#') ? [`${String(at).padStart(4)} ${row}`] : [])),
  };
}

/** Values next to each other may be on both sides of a limit. */
function isDifferent(before: string, after: string): boolean {
  const [a, b] = [Number.parseInt(before, 32), Number.parseInt(after, 32)];
  return Math.abs((a >> 3) - (b >> 3)) > 1 || Math.abs((a & 7) - (b & 7)) > 1;
}
