// The settings of server and worker.
import { SETTINGS } from '../../packages/core/src/settings/index.ts';
import { page, table } from './markdown/table.mjs';

const rows = Object.values(SETTINGS).map(({ name, byDefault, meaning, secret }) => [
  `\`${name}\``,
  `\`${byDefault}\``,
  secret ? `${meaning} (never shown)` : meaning,
]);

export default [
  {
    file: 'docs/reference/settings.md',
    generate: () =>
      page(
        'Settings',
        'Settings are environment variables, read once at the start. Each may be given as `NAME_FILE` instead: the path of a file that holds the value. A bad value, an unknown `SVC_` name, or a setting given both ways stops the start with a sentence that names it.',
        "The clients' own names (`SVC_URL`, `SVC_TOKEN`, `SVC_ENV`, `SVC_PROFILE`) and the service links of Kubernetes are ignored.",
        table(['Setting', 'Default', 'Meaning'], rows),
      ),
  },
];
