import { Icon } from '../../design/icons.tsx';
import { Options } from '../../design/options.tsx';
import { lengthText, PERIODS } from '../../text/periods.ts';
import { moved, zoomed } from './period.ts';
import type { usePeriod } from './use-period.ts';

/** What the pointer and the keys do on the timeline, as buttons. */
export function PeriodControls({ shown }: { shown: ReturnType<typeof usePeriod> }) {
  const { period, length, isLive, show, follow } = shown;
  const middle = period.from + length / 2;
  const text = lengthText(length);
  return (
    <fieldset className="row controls" aria-label="Period">
      <select
        className="select"
        aria-label="Length of the period"
        value={text}
        onChange={({ target }) => follow(target.value)}
      >
        <Options of={Object.entries(PERIODS)} />
        {text in PERIODS ? null : <option value={text}>{text}</option>}
      </select>
      <button
        type="button"
        className="button square"
        aria-label="Earlier"
        onClick={() => show(moved(period, -length / 2))}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Later"
        onClick={() => show(moved(period, length / 2))}
      >
        <Icon name="right" />
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Zoom in"
        onClick={() => show(zoomed(period, 0.5, middle))}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Zoom out"
        onClick={() => show(zoomed(period, 2, middle))}
      >
        <Icon name="minus" />
      </button>
      <button type="button" className="button" disabled={isLive} onClick={() => follow()}>
        Now
      </button>
    </fieldset>
  );
}
