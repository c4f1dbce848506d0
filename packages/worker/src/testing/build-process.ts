// A builder in a process of its own: builds the environment that its first argument describes, and says whether it did.
import { buildEnvironment, type EnvironmentOptions } from '../runs/python/build-environment.ts';

const { addresses, ...options } = JSON.parse(process.argv[2]!);
const sources = async () => ({ open: [], passes: [{ leaveOut: [], addresses, indexes: [] }] });
const { reused } = await buildEnvironment({ ...(options as EnvironmentOptions), sources });
process.send!(reused);
process.disconnect();
