import { Badge } from '../design/badge.tsx';
import { Name } from '../design/name.tsx';
import { visible } from '../text/visible.ts';
import './projects.css';

/** The start of a commit, and whether the files differ from it. */
export function Commit({ commit, dirty }: { commit: string | null; dirty: boolean | null }) {
  if (commit === null) return <span className="soft">–</span>;
  return (
    <span className="row nested" title={visible(commit)}>
      <span className="mono">
        <Name>{commit.slice(0, 10)}</Name>
      </span>
      {dirty ? <Badge tone="warn">dirty</Badge> : null}
    </span>
  );
}

/** The end of an id, which commands accept too; all of it on hover. */
export const ShortId = ({ id }: { id: string }) => (
  <span className="mono short-id" title={id}>
    …{id.slice(-8)}
  </span>
);
