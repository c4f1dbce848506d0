// A builder in its own process: builds the Python environment that its first argument describes, and prints whether it
// built it.
import { buildEnvironment, type EnvironmentOptions } from '../python/build-environment.ts';
import { buildLimitsHere } from './build-limits-here.ts';

const { addresses, ...options } = JSON.parse(process.argv[2]!);
const limits = await buildLimitsHere(options.isolation, options.python);
const sources = async () => ({ open: [], passes: [{ excludedPackages: [], addresses, indexes: [] }] });
const { reused } = await buildEnvironment({ ...(options as EnvironmentOptions), limits, sources });
process.send!(reused);
process.disconnect();
