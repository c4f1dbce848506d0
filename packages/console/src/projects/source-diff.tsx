import { type DiffLine, diffLines, hunksOf } from '@svc/core/line-diff';
import type { VersionChanges } from '@svc/sdk/browser';
import { useMemo, useState } from 'react';
import { LoadMore } from '../design/load-more.tsx';
import { Name } from '../design/name.tsx';
import { useShown } from '../design/use-shown.ts';
import { visible } from '../text/visible.ts';
import './source-diff.css';

type Source = VersionChanges['sources'][number];

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
/** Up to this many files are shown open. */
const OPEN_FILES = 3;

/** A tab is a space of any width; other invisible characters are written out. */
const lineText = (text: string): string => text.split('\t').map(visible).join('    ');

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return (
    <tr className={`diff-${kind}`}>
      <td className="diff-number">{before}</td>
      <td className="diff-number">{after}</td>
      <td className="diff-sign">
        <span aria-hidden="true">{SIGNS[kind]}</span>
        {kind === 'same' ? null : <span className="hidden">{kind}</span>}
      </td>
      <td className="diff-text">
        <bdi>{lineText(text)}</bdi>
      </td>
    </tr>
  );
}

function Lines({ source: { file, before, after } }: { source: Source }) {
  const lines = useMemo(
    () => hunksOf(diffLines(before, after)).flatMap((hunk, index) => hunk.map((line) => ({ line, part: index }))),
    [before, after],
  );
  const { shown, more } = useShown(lines);
  return (
    <>
      <section className="diff-scroll" aria-label={`Lines of ${visible(file)}`} tabIndex={0}>
        <table className="diff">
          <thead className="hidden">
            <tr>
              <th>Line before</th>
              <th>Line after</th>
              <th>Change</th>
              <th>Text</th>
            </tr>
          </thead>
          {partsOf(shown).map(([part, rows]) => (
            <tbody key={part}>
              {rows.map((line) => (
                <Line key={`${line.before} ${line.after}`} line={line} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
      <LoadMore query={more} />
    </>
  );
}

function partsOf(lines: readonly { line: DiffLine; part: number }[]): (readonly [number, DiffLine[]])[] {
  const parts = new Map<number, DiffLine[]>();
  for (const { line, part } of lines) parts.set(part, [...(parts.get(part) ?? []), line]);
  return [...parts];
}

function SourceDiff({ source, open: initially }: { source: Source; open: boolean }) {
  const [open, setOpen] = useState(initially);
  const { file, before, after } = source;
  return (
    <details className="diff-file" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="mono">
          <Name>{file}</Name>
        </span>
        {before === null ? (
          <span className="soft"> added</span>
        ) : after === null ? (
          <span className="soft"> removed</span>
        ) : null}
      </summary>
      {open ? <Lines source={source} /> : null}
    </details>
  );
}

/** The lines of SQL and Python files that differ. */
export function SourceDiffs({ changes: { sources, omitted_sources: omitted } }: { changes: VersionChanges }) {
  const { shown, more } = useShown(sources);
  if (sources.length === 0 && omitted === 0) return null;
  return (
    <section className="stack tight" aria-label="SQL and code">
      <h2>SQL and code</h2>
      {shown.map((source) => (
        <SourceDiff
          key={`${source.file} ${source.assets.join()}`}
          source={source}
          open={sources.length <= OPEN_FILES}
        />
      ))}
      <LoadMore query={more} />
      {omitted === 0 ? null : (
        <p className="soft">
          {omitted === 1 ? '1 file differs' : `${omitted} files differ`} without being shown: too large, or of tables
          that you can't read.
        </p>
      )}
    </section>
  );
}
