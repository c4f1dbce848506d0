import type { SessionStatement } from '../statements/session-statement.ts';
import { done } from './executions.ts';
import type { Execution } from './portals.ts';
import { completeRows, type ResultColumn } from './row-output.ts';
import type { SessionOptions } from './session-options.ts';
import { reportChanges } from './setting-changes.ts';
import type { SettingChange } from './settings.ts';

type SettingStatement = Extract<SessionStatement, { kind: 'set' | 'reset' | 'show' | 'discard' }>;

/** SET, RESET, SHOW and DISCARD. */
export class SettingStatements {
  private readonly options: Pick<SessionOptions, 'settings' | 'sink'>;

  constructor(options: Pick<SessionOptions, 'settings' | 'sink'>) {
    this.options = options;
  }

  /** @throws SessionError */
  start(statement: SettingStatement): Execution {
    const { settings } = this.options;
    switch (statement.kind) {
      case 'set':
        return this.changed(
          'SET',
          statement.name === '' ? [] : [settings.set(statement.name, statement.value, statement)],
        );
      case 'reset':
        return this.changed(
          'RESET',
          statement.name === null ? settings.resetAll() : [settings.set(statement.name, null)],
        );
      case 'discard':
        return this.changed(statement.tag, statement.tag === 'DISCARD ALL' ? settings.resetAll() : []);
      case 'show':
        return this.show(statement.name);
    }
  }

  columnsOf(name: string | null): ResultColumn[] {
    const names = name === null ? ['name', 'setting', 'description'] : [name];
    return names.map((column) => ({ name: column, type: 'string' }));
  }

  private changed(tag: string, changes: readonly SettingChange[]): Execution {
    return done(tag, reportChanges(this.options.sink, changes));
  }

  private show(name: string | null): Execution {
    const { settings } = this.options;
    const all = () => [...settings.all].sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => [...row, '']);
    const rows = name === null ? all() : [[settings.get(name)]];
    const columns = this.columnsOf(name);
    return { columns, rows: completeRows(columns, rows), run: null, tag: () => 'SHOW', warnings: [] };
  }
}
