/** The start of a text that is at most so wide, with an ellipsis if it isn't all of it. */
export function fittedText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  // Code points, so that no character is cut in two.
  const characters = [...text.slice(0, 300)];
  let [fits, exceeds] = [0, characters.length];
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (measure(`${characters.slice(0, middle).join('')}…`) <= width) fits = middle;
    else exceeds = middle;
  }
  return `${characters.slice(0, fits).join('')}…`;
}

let context: CanvasRenderingContext2D | null = null;

/** How wide a text is in a font. */
export function measureIn(font: string): (text: string) => number {
  return (text) => {
    context ??= document.createElement('canvas').getContext('2d');
    if (context === null) return text.length * 7;
    context.font = font;
    return context.measureText(text).width;
  };
}
