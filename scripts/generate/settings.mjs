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
        'Settings are environment variables that svc reads once at startup. To read a value from a file, set `NAME_FILE` to the path of the file instead. An invalid value, an unknown `SVC_` name, or a setting that is set both ways stops the startup with an error that names the setting.',
        'Settings of the clients (`SVC_URL`, `SVC_TOKEN`, `SVC_ENV`, `SVC_PROFILE`, `SVC_ALLOW_INSECURE`) and the service links of Kubernetes are ignored.',
        table(['Setting', 'Default', 'Meaning'], rows),
      ),
  },
];
