import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { ChartData, ChartKind } from '../results/chart-data.ts';
import { plural } from '../text/numbers.ts';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 380;
/** With fewer points, a line shows them. */
const MAX_DOTS = 100;
/** With more points, those of a point chart are smaller and let others shine through. */
const MANY = 1000;

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const DATE = '\n{YYYY}-{MM}-{DD}';
/** How times are written, by their distance: what follows is added where the year, the month or the day changes. */
const TIME_FORMATS: uPlot.Axis.Values = [
  [365 * DAY, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * DAY, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [DAY, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR, '{HH}:{mm}', DATE, null, DATE, null, null, null, 1],
  [MINUTE, '{HH}:{mm}', DATE, null, DATE, null, null, null, 1],
  [SECOND, '{HH}:{mm}:{ss}', DATE, null, DATE, null, null, null, 1],
  [1, '{HH}:{mm}:{ss}.{fff}', DATE, null, DATE, null, null, null, 1],
];

interface PlotProps {
  kind: ChartKind;
  data: ChartData;
  xName: string;
  yName: string;
}

/** A canvas has no style sheets, so colors are read from the page's. */
function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const pathsOf = (kind: ChartKind): uPlot.Series.PathBuilder | undefined =>
  kind === 'bar'
    ? uPlot.paths.bars?.({ size: [0.8, 64], radius: 0.1 })
    : kind === 'line'
      ? uPlot.paths.linear?.()
      : () => null;

/** The x axis: texts are at whole numbers, with half a step at both ends. */
function xScaleOf({ scale, x, labels }: ChartData, kind: ChartKind): { scale: uPlot.Scale; axis: uPlot.Axis } {
  const isTime = scale === 'calendar' || scale === 'clock';
  if (scale !== 'text') {
    // Bars at the ends need their space.
    const step = kind === 'bar' ? smallestStep(x) / 2 : 0;
    const range = (_: uPlot, min: number, max: number): uPlot.Range.MinMax =>
      min === max ? [min - 1, max + 1] : [min - step, max + step];
    return { scale: { time: isTime, range }, axis: isTime ? { values: TIME_FORMATS } : {} };
  }
  return {
    scale: { time: false, range: () => [-0.5, labels.length - 0.5] },
    axis: {
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
      values: (_, splits) => splits.map((at) => shortened(labels[at] ?? '')),
      space: 90,
    },
  };
}

/** How the value under the pointer is written. */
function xValueOf({ scale, labels }: ChartData): Pick<uPlot.Series, 'value'> {
  if (scale === 'number') return {};
  return { value: scale === 'text' ? (_, at) => labels[at] ?? '–' : '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' };
}

const shortened = (label: string): string => (label.length > 14 ? `${label.slice(0, 13)}…` : label);

function smallestStep(x: readonly number[]): number {
  let step = Number.POSITIVE_INFINITY;
  for (const [index, at] of x.entries()) {
    const distance = index === 0 ? 0 : at - (x[index - 1] ?? at);
    if (distance > 0) step = Math.min(step, distance);
  }
  return Number.isFinite(step) ? step : 0;
}

function optionsOf({ kind, data, xName, yName }: PlotProps, width: number): uPlot.Options {
  const [text, line, accent] = [colorOf('--text-soft'), colorOf('--line'), colorOf('--accent')];
  const axis: uPlot.Axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: `12px ${colorOf('--font')}`,
    labelFont: `12px ${colorOf('--font')}`,
  };
  const x = xScaleOf(data, kind);
  const dots = kind === 'scatter' || (kind === 'line' && data.x.length <= MAX_DOTS);
  const isDense = data.x.length > MANY;
  const dot = isDense ? `color-mix(in srgb, ${accent} 45%, transparent)` : accent;
  const paths = pathsOf(kind);
  return {
    width,
    height: HEIGHT,
    ms: 1,
    ...(data.scale === 'clock' ? {} : { tzDate: (at) => uPlot.tzDate(new Date(at), 'UTC') }),
    scales: {
      x: x.scale,
      ...(kind === 'bar'
        ? { y: { range: (_, min, max) => uPlot.rangeNum(Math.min(0, min), Math.max(0, max), 0.1, true) } }
        : {}),
    },
    axes: [
      { ...axis, ...x.axis, label: xName },
      { ...axis, label: yName, size: 72 },
    ],
    series: [
      { label: xName, ...xValueOf(data) },
      {
        label: yName,
        stroke: accent,
        width: 1.5,
        ...(kind === 'bar' ? { fill: accent } : {}),
        ...(paths === undefined ? {} : { paths }),
        points: { show: dots, size: isDense ? 3 : 6, stroke: dot, fill: dot },
      },
    ],
  };
}

/** Draws a chart on a canvas, again when the size or the theme changes. */
export default function Plot(props: PlotProps) {
  const { kind, data, xName, yName } = props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        optionsOf({ kind, data, xName, yName }, element.clientWidth),
        [[...data.x], [...data.y]],
        element,
      );
    };
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    const themed = new MutationObserver(draw);
    draw();
    resized.observe(element);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot?.destroy();
    };
  }, [kind, data, xName, yName]);
  const label = `${yName} by ${xName}: ${plural(data.x.length, 'point')}. The tab Result has the rows.`;
  return (
    <div className="plot">
      <div ref={host} role="img" aria-label={label} />
    </div>
  );
}
