import { svc } from '../testing/run-svc.ts';
import { findCommand } from './find-command.ts';
import { COMMAND_IDS } from './plugin.ts';
import { commandIdOf, SYNONYMS } from './verb-aliases.ts';

describe('verbs with the same meaning (CLI-10)', () => {
  test.each([
    [['table', 'show'], 'table get'],
    [['table', 'remove'], 'table delete'],
    [['table', 'drop'], 'table delete'],
    [['index', 'get'], 'index show'],
    [['index', 'create'], 'index add'],
    [['index', 'delete'], 'index remove'],
    [['repository', 'ls'], 'repository list'],
    [['runs', 'get'], 'runs show'],
    [['policy', 'row-filter', 'add'], 'policy row-filter create'],
    [['principal', 'add'], 'principal create'],
  ])('svc %j runs its command', (args, id) => {
    expect(findCommand([...args, 'x'])).toEqual({ id, rest: ['x'] });
  });

  test('every topic with one of them has all of them, for one command', () => {
    for (const id of COMMAND_IDS) {
      const parts = id.split(' ');
      const synonyms = SYNONYMS.find((verbs) => verbs.includes(parts.at(-1)!)) ?? [];
      const found = synonyms.map((verb) => commandIdOf([...parts.slice(0, -1), verb]));
      expect(found).toEqual(synonyms.map(() => id));
    }
  });

  test('other words are not verbs', () => {
    for (const args of [['ls'], ['token', 'delete'], ['runs', 'drop'], ['cron', 'show']]) {
      expect(findCommand(args)).toBeNull();
    }
  });

  test('the help of an alias is that of the command, and lists show no aliases', async () => {
    expect(await svc(['table', 'drop', '--help'])).toEqual(await svc(['table', 'delete', '--help']));
    expect(await svc(['help', 'index', 'get'])).toEqual(await svc(['help', 'index', 'show']));
    expect((await svc(['help', 'table'])).stdout).not.toContain('svc table drop ');
  });
});
