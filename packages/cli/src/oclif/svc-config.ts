import { Config, type Plugin } from '@oclif/core/config';
import type { Inputs } from '../arguments/input-names.ts';
import type { Io } from '../terminal/io.ts';

/** The configuration of oclif with the input and output of this run. */
export class SvcConfig extends Config {
  readonly io: Io;
  /** The inputs of the command that failed. */
  failed: Inputs = {};

  constructor(io: Io, plugin: Plugin) {
    super({ root: plugin.root, plugins: new Map([[plugin.name, plugin]]) });
    this.io = io;
  }

  /** svc has no themes; oclif would read a file of the user on every start. */
  override async loadTheme(): Promise<undefined> {
    return undefined;
  }
}
