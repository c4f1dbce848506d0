import { devAssetsOf } from '../../tables/dev-assets.ts';
import type { Reader } from '../../tables/reader.ts';
import type { TaskWork } from '../run-work.ts';

/** The reader of a task's statements: the run's principal, on the current contents of tables. */
export const taskReader = ({ principal, environment, request, version, engine }: TaskWork): Reader => ({
  principalId: principal.id,
  environment,
  request,
  currentOnly: true,
  throughCatalog: engine.name === 'trino',
  dev: devAssetsOf(version),
});
