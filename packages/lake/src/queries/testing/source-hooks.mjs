// Lets a child process run the TypeScript sources as they are, where Node cannot do so itself. Tests only: the built
// package starts its built child.
import { register } from 'node:module';

register('./source-loader.mjs', import.meta.url);
