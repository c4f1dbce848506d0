import { saveFile } from '../design/save-file.ts';
import type { Size } from './view.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const MARGIN = 16;
/** What the page's style sheets decide. A file has no style sheets, so it gets these as attributes. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
] as const;

/** Saves the whole graph as a file that needs nothing else: no style sheets, fonts or links. */
export function saveSvg(frame: SVGSVGElement, layer: SVGGElement, graph: Size, name: string): void {
  const [width, height] = [graph.width + 2 * MARGIN, graph.height + 2 * MARGIN];
  const file = document.createElementNS(NAMESPACE, 'svg');
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    file.setAttribute(key, String(value));
  const background = document.createElementNS(NAMESPACE, 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', getComputedStyle(frame).backgroundColor);
  const content = copyOf(layer);
  content.setAttribute('transform', `translate(${MARGIN} ${MARGIN})`);
  file.append(background, content);
  saveFile(`${name}.svg`, new XMLSerializer().serializeToString(file), 'image/svg+xml');
}

/** A copy with the styles as attributes. Links become groups, because their addresses are this console's. */
function copyOf(element: Element): Element {
  const copy = document.createElementNS(NAMESPACE, element.localName === 'a' ? 'g' : element.localName);
  for (const { name, value } of element.attributes)
    if (!/^(class|href|tabindex|data-|aria-|style)/.test(name)) copy.setAttribute(name, value);
  const styles = getComputedStyle(element);
  if (element instanceof SVGGeometryElement || element instanceof SVGTextElement)
    for (const style of STYLES) copy.setAttribute(style, styles.getPropertyValue(style));
  else if (styles.opacity !== '1') copy.setAttribute('opacity', styles.opacity);
  for (const child of element.childNodes) copy.append(child instanceof Element ? copyOf(child) : child.cloneNode());
  return copy;
}
