// Jars that Maven fetches once: the Iceberg project's REST Compatibility Kit with the REST server it is tried on, Spark,
// PostgreSQL's driver.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietly } from '../bootstrap/run.mjs';
import { cache } from '../bootstrap/stamp.mjs';
import { onPath } from '../bootstrap/uv.mjs';

/** The Compatibility Kit's class path; null, after a plain message, where Java, Maven or the registry is out of reach. */
export const kitClassPath = () => mavenJars('rck', 'The Compatibility Kit');

/**
 * The class path for the `pom.xml` in the folder of that name, which needs `count` jars or more. Prints a message and returns null on
 * failure.
 */
export async function mavenJars(name, what, count = 10) {
  if (!onPath('java') || !onPath('mvn')) {
    console.log(`${what} did not run: it needs Java 17 and Maven.`);
    return null;
  }
  const folder = join(cache, 'engines', name);
  const done = join(folder, 'done');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const pom = fileURLToPath(new URL(`./${name}/pom.xml`, import.meta.url));
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
    try {
      await quietly(`fetching the jars of ${name}`, 'mvn', args);
    } catch (error) {
      console.log(`${what} did not run: ${error.message.split('\n').at(-1)}`);
      return null;
    }
    mkdirSync(done);
  }
  if (readdirSync(folder).length < count) throw new Error(`${folder} lacks jars: remove it and try again`);
  return join(folder, '*');
}
