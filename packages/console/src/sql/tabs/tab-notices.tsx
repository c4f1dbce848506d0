import { ErrorNotice } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { visibleLines } from '../../text/visible.ts';
import type { OpenTab } from './open-tabs.ts';

interface NoticesProps {
  tab: OpenTab;
  /** Why the stored tabs could not be loaded. */
  loadError: unknown;
  onRetry: () => void;
  onChooseMine: () => void;
  onChooseTheirs: () => void;
  onChooseBoth: () => void;
}

function Conflict({ tab, onChooseMine, onChooseTheirs, onChooseBoth }: NoticesProps) {
  if (tab.conflict === null) return null;
  const { updated_at, sql_text } = tab.conflict;
  return (
    <section className="notice warn" aria-label="Two texts of this tab" role="alert">
      <p>
        This tab was changed in another browser, <Time at={updated_at} />. Yours is in the editor and isn't saved. The
        other text:
      </p>
      <textarea
        className="input mono"
        aria-label="Text from the other browser"
        rows={6}
        readOnly
        value={visibleLines(sql_text)}
      />
      <div className="row">
        <button type="button" className="button small" onClick={onChooseBoth}>
          Keep both in two tabs
        </button>
        <button type="button" className="button small" onClick={onChooseMine}>
          Keep mine
        </button>
        <button type="button" className="button small" onClick={onChooseTheirs}>
          Use the other text
        </button>
      </div>
    </section>
  );
}

/** What keeps a tab from being saved. */
export function TabNotices(props: NoticesProps) {
  const { tab, loadError, onRetry } = props;
  const error = loadError ?? tab.error;
  return (
    <>
      <Conflict {...props} />
      {error === null || error === undefined ? null : (
        <section className="stack" aria-label="Not saved">
          <ErrorNotice error={error} />
          <div className="row">
            <span className="soft">
              {loadError === null
                ? "This tab isn't saved."
                : 'Your stored tabs could not be loaded, and nothing is saved.'}{' '}
              What you write stays here until you close the window.
            </span>
            <button type="button" className="button small" onClick={onRetry}>
              Try again
            </button>
          </div>
        </section>
      )}
    </>
  );
}
