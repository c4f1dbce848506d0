import type { Query } from '@svc/sdk/browser';
import { Icon } from '../design/icons.tsx';
import { isActive } from './queries.ts';
import { QueryBadge, QueryDuration } from './query-status.tsx';

interface RunBarProps {
  query: Query | undefined;
  canRun: boolean;
  isSubmitting: boolean;
  onRun: () => void;
  onCancel: () => void;
}

/** The state of the query, and the buttons that run and cancel it. */
export function RunBar({ query, canRun, isSubmitting, onRun, onCancel }: RunBarProps) {
  const isRunning = query !== undefined && isActive(query);
  const progress = query?.progress ?? 0;
  return (
    <div className="row spread run-bar">
      <div className="row" role="status">
        {query === undefined ? (
          <span className="soft wide-only">Ctrl-Enter or ⌘-Enter runs the statement</span>
        ) : (
          <>
            <QueryBadge query={query} />
            <span className="soft" aria-hidden={isRunning}>
              <QueryDuration query={query} />
              {isRunning && progress > 0 ? ` · ${Math.round(progress * 100)} %` : ''}
            </span>
          </>
        )}
      </div>
      <div className="row">
        {isRunning ? (
          <button type="button" className="button danger" onClick={onCancel}>
            Cancel
          </button>
        ) : null}
        <button type="button" className="button primary" disabled={!canRun || isSubmitting} onClick={onRun}>
          <Icon name="runs" /> Run
        </button>
      </div>
    </div>
  );
}
