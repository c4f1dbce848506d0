import type { SavedQuery } from '@svc/sdk/browser';
import { Name } from '../../design/name.tsx';
import { Time } from '../../design/time.tsx';
import { visibleLines } from '../../text/visible.ts';
import { declarationsOf } from './saved-parameters.ts';

interface SavedConflictProps {
  saved: SavedQuery;
  canSave: boolean;
  onChooseMine: () => void;
  onChooseTheirs: () => void;
}

/** The text that someone has saved since the one in the editor was opened. */
export function SavedConflict({ saved, canSave, onChooseMine, onChooseTheirs }: SavedConflictProps) {
  const parameters = declarationsOf(saved.parameters);
  return (
    <section className="notice warn" aria-label="The saved query has changed" role="alert">
      <p>
        <Name>{saved.name}</Name> was changed in another window or by someone else, <Time at={saved.updated_at} />. Your
        text is in the editor and isn't saved. The saved text:
      </p>
      <textarea className="input mono" aria-label="Saved text" rows={6} readOnly value={visibleLines(saved.sql_text)} />
      {parameters.length === 0 ? null : (
        <p className="soft">
          Parameters: <Name>{parameters.join(', ')}</Name>
        </p>
      )}
      <p className="soft">Save as … saves your text as another query, and leaves this one unchanged.</p>
      <div className="row">
        <button type="button" className="button small" disabled={!canSave} onClick={onChooseMine}>
          Replace it with mine
        </button>
        <button type="button" className="button small" onClick={onChooseTheirs}>
          Use the saved text
        </button>
      </div>
    </section>
  );
}
