import type { Io } from '../terminal/io.ts';
import { SvcPlugin } from './plugin.ts';
import { SvcConfig } from './svc-config.ts';

/** Loads oclif's configuration without reading files: the commands and topics are in the bundle. */
export async function loadConfig(io: Io): Promise<SvcConfig> {
  const plugin = new SvcPlugin();
  await plugin.load();
  const config = new SvcConfig(io, plugin);
  await config.load();
  return config;
}
