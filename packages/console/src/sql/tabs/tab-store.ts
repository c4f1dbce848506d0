import { notify } from '../../design/toasts.tsx';
import { cache } from '../../service/queries.ts';
import { isConflict, isForbidden, isMissing } from '../../service/refusals.ts';
import { sessionQuery } from '../../session/session.ts';
import {
  isBlank,
  isDirty,
  mergedTab,
  mergedTabs,
  newTab,
  type OpenTab,
  orphanedTab,
  savedTab,
  withMine,
  withTheirs,
} from './open-tabs.ts';
import { randomId } from './random-id.ts';
import { BLANK, isSame, isSameText, type TabContent } from './tab-content.ts';
import { deleteTab, findTab, isTransient, listTabs, saveTab } from './tab-requests.ts';
import { readTabs, writeTabs } from './unsaved-tabs.ts';

const TYPING_PAUSE_MS = 800;
const RETRY_MS = 5000;
const SLOWEST_RETRY_MS = 60_000;
const MAX_CLOSED = 10;

export interface TabsState {
  readonly tabs: readonly OpenTab[];
  /** What was closed last, to be opened again. */
  readonly closed: readonly TabContent[];
  /** Whether the stored tabs are known. Until then, nothing is saved. */
  readonly isLoaded: boolean;
  readonly loadError: unknown;
}

/** The tabs of a principal in an environment: what is written here, and what the service has stored. */
export class TabStore {
  #state: TabsState;
  readonly #env: string;
  readonly #principal: string;
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  readonly #saving = new Set<string>();
  readonly #closing = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Changes that were stored: a list that was requested before the last one is outdated. */
  #stored = 0;
  /** The tab that was shown last. */
  #shown: string | undefined;

  constructor(env: string, principal: string) {
    this.#env = env;
    this.#principal = principal;
    this.#key = `svc-query-tabs-${principal}-${env}`;
    this.#state = { tabs: readTabs(this.#key), closed: [], isLoaded: false, loadError: null };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): TabsState => this.#state;

  find(id: string | undefined): OpenTab | undefined {
    return this.#state.tabs.find((tab) => tab.id === id);
  }

  #set(changed: Partial<TabsState>): void {
    this.#state = { ...this.#state, ...changed };
    writeTabs(this.#key, this.#state.tabs);
    for (const listener of this.#listeners) listener();
  }

  #replace(id: string, change: (tab: OpenTab) => OpenTab): void {
    this.#set({ tabs: this.#state.tabs.map((tab) => (tab.id === id ? change(tab) : tab)) });
  }

  /** Another caller may have signed in, who must not get these texts. */
  get #isCurrent(): boolean {
    return cache.getQueryData(sessionQuery.queryKey)?.principal.id === this.#principal;
  }

  /** Loads the stored tabs, which other browsers may have changed. */
  async load(): Promise<void> {
    if (!this.#isCurrent || this.#saving.size > 0 || isForbidden(this.#state.loadError)) return;
    const before = this.#stored;
    try {
      const listed = await listTabs(this.#env);
      if (this.#stored !== before || this.#saving.size > 0) return;
      const latest = listed.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))[0];
      this.#shown ??= latest?.id;
      this.#set({ tabs: mergedTabs(this.#state.tabs, listed, this.#closing), isLoaded: true, loadError: null });
      this.#schedule(0);
    } catch (error) {
      this.#set({ loadError: error });
    }
  }

  /** The tab to show if the address names none. */
  last(): string {
    const tab = this.find(this.#shown) ?? this.#state.tabs.at(-1);
    return tab?.id ?? this.open(BLANK);
  }

  show(id: string): void {
    this.#shown = id;
  }

  /** Opens a tab, which is stored once something is written in it. */
  open(content: TabContent, base = content): string {
    const id = randomId();
    this.#set({ tabs: [...this.#state.tabs, newTab(id, content, base)] });
    if (base !== content) this.#schedule(0);
    return id;
  }

  /** The tab for a link: one with the same text, an empty one, or a new one. */
  openLink(content: TabContent): string {
    const untitled = (tab: OpenTab) => ({ ...tab.content, title: content.title });
    const same = this.#state.tabs.find(
      (tab) => isSameText(untitled(tab), content) && (content.saved === null || tab.content.saved === content.saved),
    );
    if (same !== undefined) return same.id;
    const blank = this.#state.tabs.find(isBlank);
    if (blank === undefined) return this.open(content);
    this.#replace(blank.id, ({ id }) => newTab(id, content, content));
    return blank.id;
  }

  edit(id: string, changed: Partial<TabContent>): void {
    const tab = this.find(id);
    if (tab === undefined) return;
    const content = { ...tab.content, ...changed };
    if (content.inputs === tab.content.inputs && isSame(content, tab.content)) return;
    this.#replace(id, (now) => ({ ...now, content }));
    this.#schedule(TYPING_PAUSE_MS);
  }

  /** The tab to show after this one has been closed. */
  after(id: string): string {
    const { tabs } = this.#state;
    const index = tabs.findIndex((tab) => tab.id === id);
    return (tabs[index + 1] ?? tabs[index - 1])?.id ?? this.open(BLANK);
  }

  close(id: string): void {
    const { tabs, closed } = this.#state;
    const tab = this.find(id);
    if (tab === undefined) return;
    const isEmpty = isSame(tab.content, BLANK);
    // A request that is saving the tab continues with its deletion.
    const isSaving = this.#saving.has(id);
    if (isSaving || tab.version > 0) this.#closing.add(id);
    this.#set({
      tabs: tabs.filter((each) => each !== tab),
      closed: isEmpty ? closed : [...closed, tab.content].slice(-MAX_CLOSED),
    });
    if (tab.version > 0 && !isSaving) void this.#delete(id, tab.version);
  }

  /** Opens the tab that was closed last. */
  reopen(): string | null {
    const { closed } = this.#state;
    const content = closed.at(-1);
    if (content === undefined) return null;
    this.#set({ closed: closed.slice(0, -1) });
    return this.open(content, BLANK);
  }

  chooseMine(id: string): void {
    this.#replace(id, withMine);
    this.#schedule(0);
  }

  /** Shows the stored text. What was written here can be opened again like a closed tab. */
  chooseTheirs(id: string): void {
    const mine = this.find(id);
    if (mine === undefined) return;
    this.#set({ closed: [...this.#state.closed, mine.content].slice(-MAX_CLOSED) });
    this.#replace(id, withTheirs);
  }

  /** What was written here becomes another tab. Returns its id. */
  chooseBoth(id: string): string | null {
    const mine = this.find(id);
    if (mine === undefined) return null;
    this.#replace(id, withTheirs);
    return this.open(mine.content, BLANK);
  }

  /** Saves without waiting for a pause. */
  readonly flush = (): void => {
    if (this.#timer !== undefined) this.#schedule(0);
  };

  retry(): void {
    this.#set({ loadError: null, tabs: this.#state.tabs.map((tab) => ({ ...tab, error: null })) });
    if (this.#state.isLoaded) this.#schedule(0);
    else void this.load();
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#saveAll();
    }, delay);
  }

  #saveAll(): void {
    if (!this.#isCurrent || !this.#state.isLoaded) return;
    for (const tab of this.#state.tabs)
      if (isDirty(tab) && tab.conflict === null && !isForbidden(tab.error) && !this.#saving.has(tab.id))
        void this.#save(tab);
  }

  async #save({ id, version, content }: OpenTab): Promise<void> {
    this.#saving.add(id);
    this.#replace(id, (now) => ({ ...now, sent: content }));
    let stored = version;
    try {
      const saved = await saveTab(this.#env, id, { version, content });
      stored = saved.version;
      this.#stored += 1;
      this.#failures = 0;
      this.#replace(id, (now) => savedTab(now, saved, content));
    } catch (error) {
      await this.#failed(id, version, error);
    }
    this.#saving.delete(id);
    if (this.#closing.has(id)) await this.#delete(id, stored);
    const now = this.find(id);
    if (now !== undefined && isDirty(now) && now.error === null) this.#schedule(TYPING_PAUSE_MS);
  }

  async #failed(id: string, version: number, error: unknown): Promise<void> {
    try {
      if (!isConflict(error)) throw error;
      const theirs = await findTab(this.#env, id);
      this.#replace(id, (tab) => mergedTab(tab, theirs));
    } catch (cause) {
      // Another browser has closed it, but more was written here.
      if (isMissing(cause) && version > 0) this.#replace(id, orphanedTab);
      else this.#retryLater(id, cause);
    }
  }

  #retryLater(id: string, error: unknown): void {
    this.#replace(id, (tab) => ({ ...tab, error }));
    this.#failures += 1;
    if (isTransient(error)) this.#schedule(Math.min(SLOWEST_RETRY_MS, RETRY_MS * 2 ** (this.#failures - 1)));
  }

  async #delete(id: string, version: number): Promise<void> {
    try {
      if (version > 0) await deleteTab(this.#env, id, version);
    } catch (error) {
      const reason = isConflict(error) ? 'it has changed in another browser' : (error as Error).message;
      if (!isMissing(error)) notify(`The tab stays open: ${reason}.`);
    }
    this.#stored += 1;
    this.#closing.delete(id);
    // It is there again if it wasn't deleted.
    void this.load();
  }
}
