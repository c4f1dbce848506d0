// The jars of the Iceberg project's REST Compatibility Kit, with the REST server it is tried on, fetched once by Maven.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

const pom = fileURLToPath(new URL('./rck/pom.xml', import.meta.url));
const folder = join(cache, 'engines', 'rck');

/** The class path; null, after a plain message, where Java, Maven or the registry is out of reach. */
export async function kitClassPath() {
  if (!onPath('java') || !onPath('mvn')) {
    console.log('The Compatibility Kit did not run: it needs Java 17 and Maven.');
    return null;
  }
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
    try {
      await quietly('fetching the Compatibility Kit', 'mvn', args);
    } catch (error) {
      console.log(`The Compatibility Kit did not run: ${error.message.split('\n').at(-1)}`);
      return null;
    }
    mkdirSync(done);
  }
  if (readdirSync(folder).length < 10) throw new Error(`${folder} lacks jars: remove it and try again`);
  return join(folder, '*');
}
