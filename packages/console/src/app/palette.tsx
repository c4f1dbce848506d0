import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { searchQuery } from '../catalog/queries.ts';
import { Dialog } from '../design/dialog.tsx';
import { Icon } from '../design/icons.tsx';
import { Name } from '../design/name.tsx';
import { environmentsQuery } from '../service/queries.ts';
import { type Entry, foundEntries, pageEntries } from './palette-entries.ts';

function useEntries(env: string, text: string): { entries: readonly Entry[]; isSearching: boolean } {
  const wanted = useDeferredValue(text.trim());
  const environments = useQuery(environmentsQuery).data ?? [];
  const search = useQuery({
    ...searchQuery(env, wanted, ['namespace', 'table', 'column', 'job']),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const names = environments.map(({ name }) => name);
  const found = wanted === '' ? [] : foundEntries(env, search.data ?? []);
  return { entries: [...pageEntries(env, names, wanted), ...found], isSearching: search.isFetching };
}

function Results(props: { id: string; entries: readonly Entry[]; active: number; onOpen: (entry: Entry) => void }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[props.active]?.scrollIntoView({ block: 'nearest' });
  }, [props.active]);
  return (
    <ul id={props.id} ref={list} role="listbox" aria-label="Results">
      {props.entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <li
          key={entry.key}
          id={`${props.id}-${index}`}
          role="option"
          aria-selected={index === props.active}
          onClick={() => props.onOpen(entry)}
        >
          <Icon name={entry.icon} />
          <Name clipped>{entry.label}</Name>
          <span className="end">
            <Name>{entry.detail}</Name>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Finds pages, environments, tables, columns and jobs by name. */
export function Palette({ env, onClose }: { env: string; onClose: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { entries, isSearching } = useEntries(env, text);
  const router = useRouter();
  const id = useId();
  const at = Math.min(active, entries.length - 1);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    void router.navigate(entry.target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') open(entries[at]);
    else if (step !== 0 && entries.length > 0) setActive((at + step + entries.length) % entries.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Search and commands" className="palette" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={id}
        aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
        aria-label="Search pages, tables, columns and jobs"
        placeholder="Search pages, tables, columns and jobs"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
      />
      <Results id={id} entries={entries} active={at} onOpen={open} />
      <div role="status" className={entries.length === 0 ? 'empty' : 'hidden'}>
        {entries.length > 0 ? `${entries.length} results` : isSearching ? 'Searching …' : 'Nothing found'}
      </div>
    </Dialog>
  );
}
