import type { Command } from '@oclif/core/command';
import { Plugin } from '@oclif/core/config';
import { COMMANDS as GENERATED, PACKAGE } from '../generated/commands.ts';
import type { SvcCommand } from '../svc-command.ts';

export type CommandClass = typeof SvcCommand & { id: string };

/** Every command by its id, such as `env list`. Commands are loaded when they run. */
export const COMMANDS = GENERATED as unknown as Record<
  string,
  { summary: string; load: () => Promise<{ default: CommandClass }> }
>;
export const COMMAND_IDS: readonly string[] = Object.keys(COMMANDS);

/** Loads the class of a command. */
export async function loadCommand(id: string): Promise<CommandClass> {
  const { default: Class } = await COMMANDS[id]!.load();
  Class.id = id;
  return Class;
}

/** oclif finds commands and topics in a plugin. This one has them in memory, because svc is bundled into one file. */
export class SvcPlugin extends Plugin {
  constructor() {
    super({ name: PACKAGE.name, root: '/', isRoot: true });
  }

  override async load(): Promise<void> {
    const { name, version } = PACKAGE;
    const commands = COMMAND_IDS.map((id) => this.#loadable(id));
    Object.assign(this, { name, version, root: '/', pjson: PACKAGE, type: 'core', hooks: {}, valid: true, commands });
  }

  #loadable(id: string): Command.Loadable {
    return {
      id: id.replaceAll(' ', ':'),
      summary: COMMANDS[id]!.summary,
      pluginName: PACKAGE.name,
      aliases: [],
      hiddenAliases: [],
      hidden: false,
      args: {},
      flags: {},
      load: () => loadCommand(id) as never,
    } as unknown as Command.Loadable;
  }
}
