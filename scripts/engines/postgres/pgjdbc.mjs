// PostgreSQL's JDBC driver, which most tools for databases contain.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mavenJars } from '../jars.mjs';
import { TOKEN } from '../service.mjs';

const program = fileURLToPath(new URL('../pgjdbc/Client.java', import.meta.url));

export async function pgjdbc(port) {
  const classPath = await mavenJars('pgjdbc', 'pgjdbc', 1);
  if (classPath === null) return 0;
  const args = ['-Xmx512m', '-Duser.timezone=UTC', '-cp', classPath, program, String(port), TOKEN];
  return spawnSync('java', args, { stdio: 'inherit' }).status ?? 1;
}
