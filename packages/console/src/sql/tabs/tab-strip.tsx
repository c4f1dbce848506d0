import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../../design/icons.tsx';
import { visible } from '../../text/visible.ts';
import { isDirty, type OpenTab } from './open-tabs.ts';
import { titleOf } from './tab-content.ts';

interface TabStripProps {
  tabs: readonly OpenTab[];
  active: OpenTab;
  /** The id of what the tabs control. */
  panel: string;
  canReopen: boolean;
  onSelect: (id: string) => void;
  onNew: () => void;
  onClose: (id: string) => Promise<void>;
  onReopen: () => void;
  onRename: (title: string | null) => void;
}

const stateOf = (tab: OpenTab): string | null =>
  tab.conflict !== null ? 'changed in another browser' : tab.error !== null ? 'not saved' : null;

interface TabProps {
  tab: OpenTab;
  isActive: boolean;
  panel: string;
  onSelect: () => void;
  onClose: () => void;
  onKey: (event: KeyboardEvent) => void;
}

function Tab({ tab, isActive, panel, onSelect, onClose, onKey }: TabProps) {
  const state = stateOf(tab);
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${tab.id}`}
      aria-selected={isActive}
      aria-controls={isActive ? panel : undefined}
      tabIndex={isActive ? 0 : -1}
      title={titleOf(tab.content)}
      onClick={onSelect}
      onAuxClick={(event) => {
        if (event.button === 1) onClose();
      }}
      onKeyDown={onKey}
    >
      <bdi className="clipped">{titleOf(tab.content)}</bdi>
      {state === null ? null : (
        <>
          <span className="dot" aria-hidden="true" />
          <span className="hidden"> ({state})</span>
        </>
      )}
    </button>
  );
}

/** Which tab a key leads to from the one at the index. */
function target(key: string, index: number, length: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: (index + length - 1) % length,
    ArrowRight: (index + 1) % length,
    Home: 0,
    End: length - 1,
  };
  return targets[key];
}

/** The tabs: arrow keys move between them, Enter shows one, F2 renames it, Delete closes it. */
export function TabStrip(props: TabStripProps) {
  const { tabs, active, panel, canReopen, onSelect, onNew, onClose, onReopen } = props;
  const [isRenaming, setRenaming] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const focusTab = (id: string | undefined) => list.current?.querySelector<HTMLElement>(`[id="tab-${id}"]`)?.focus();
  useEffect(() => {
    list.current?.querySelector(`[id="tab-${active.id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active.id]);
  const close = async (id: string) => {
    const isFocused = list.current?.contains(document.activeElement) === true;
    const index = tabs.findIndex((tab) => tab.id === id);
    const next = tabs[index + 1] ?? tabs[index - 1];
    await onClose(id);
    // The focus stays in the list.
    if (isFocused) focusTab(next?.id);
  };
  const onKey = (event: KeyboardEvent, tab: OpenTab) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = target(event.key, tabs.indexOf(tab), tabs.length);
    if (next !== undefined) focusTab(tabs[next]?.id);
    else if (event.key === 'Delete') close(tab.id);
    else if (event.key === 'F2') {
      onSelect(tab.id);
      setRenaming(true);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="row tab-strip">
      <div role="tablist" aria-label="Statements" className="tab-list" ref={list}>
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            tab={tab}
            isActive={tab.id === active.id}
            panel={panel}
            onSelect={() => onSelect(tab.id)}
            onClose={() => close(tab.id)}
            onKey={(event) => onKey(event, tab)}
          />
        ))}
      </div>
      {isRenaming ? (
        <RenameForm
          key={active.id}
          title={active.content.title ?? ''}
          onRename={props.onRename}
          onClose={() => {
            setRenaming(false);
            focusTab(active.id);
          }}
        />
      ) : (
        <div className="row nested">
          <IconButton icon="plus" label="New tab" onClick={onNew} />
          <button type="button" className="button quiet small" onClick={() => setRenaming(true)}>
            Rename<span className="hidden"> the tab</span>
          </button>
          {canReopen ? <IconButton icon="undo" label="Reopen the tab that was closed last" onClick={onReopen} /> : null}
          <IconButton
            icon="close"
            label={`Close the tab ${titleOf(active.content)}`}
            onClick={() => close(active.id)}
          />
        </div>
      )}
      <SaveStatus tab={active} />
    </div>
  );
}

function IconButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" className="button quiet small" title={visible(label)} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** Whether the service has what was written. */
function SaveStatus({ tab }: { tab: OpenTab }) {
  const text = stateOf(tab) ?? (isDirty(tab) ? 'Saving …' : tab.version > 0 ? 'Saved' : '');
  return <span className={stateOf(tab) === null ? 'soft' : 'unsaved'}>{text}</span>;
}

interface RenameFormProps {
  title: string;
  onRename: (title: string | null) => void;
  onClose: () => void;
}

function RenameForm({ title, onRename, onClose }: RenameFormProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRename(text.trim() === '' ? null : text.trim());
    onClose();
  };
  return (
    <form className="row nested" onSubmit={submit}>
      <input
        ref={field}
        className="input small"
        aria-label="Title of the tab"
        placeholder="Start of the statement"
        maxLength={200}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      />
      <button type="submit" className="button small">
        Rename
      </button>
      <button type="button" className="button quiet small" onClick={onClose}>
        Cancel
      </button>
    </form>
  );
}
