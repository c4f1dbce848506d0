import type { SessionStatement } from '../statements/session-statement.ts';
import { rowsOfJson } from '../values/index.ts';
import { parameterStatus } from '../wire/server-message.ts';
import { done } from './executions.ts';
import type { Execution, ResultColumn } from './portals.ts';
import { RowCursor } from './row-output.ts';
import type { SessionOptions } from './session-options.ts';
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
        return done('SET', this.report(statement.name === '' ? [] : [settings.set(statement.name, statement.value)]));
      case 'reset':
        return done(
          'RESET',
          this.report(statement.name === null ? settings.resetAll() : [settings.set(statement.name, null)]),
        );
      case 'discard':
        return done(statement.tag, this.report(statement.tag === 'DISCARD ALL' ? settings.resetAll() : []));
      case 'show':
        return this.show(statement.name);
    }
  }

  columnsOf(name: string | null): ResultColumn[] {
    const names = name === null ? ['name', 'setting', 'description'] : [name];
    return names.map((column) => ({ name: column, type: 'string' }));
  }

  private show(name: string | null): Execution {
    const { settings } = this.options;
    const all = () => [...settings.all].sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => [...row, '']);
    const rows = name === null ? all() : [[settings.get(name)]];
    const columns = this.columnsOf(name);
    return { columns, rows: rowsOf(columns, rows), run: null, tag: () => 'SHOW', warnings: [] };
  }

  /** Informs the client about new values, and returns the warnings. */
  private report(changes: readonly SettingChange[]): string[] {
    for (const { reported } of changes) if (reported !== null) this.options.sink.send(parameterStatus(...reported));
    return changes.flatMap(({ warning }) => (warning === null ? [] : [warning]));
  }
}

/** Rows that are complete. */
export function rowsOf(columns: readonly ResultColumn[], rows: readonly (readonly unknown[])[]): RowCursor {
  async function* one() {
    if (rows.length > 0) yield rowsOfJson(columns, rows);
  }
  return new RowCursor(one());
}
