import {
  CrashStage,
  crashAnswer,
  crashClone,
  crashDeploy,
  crashInto,
  crashLoad,
  crashMaintenance,
  crashRun,
  crashSchedule,
  deployTimed,
} from '../../testing/crash-tests.ts';

// Every kind of work at each step that crashes.test.ts leaves out.
let stage: CrashStage;
beforeAll(async () => {
  stage = await CrashStage.open();
});
afterAll(() => stage.close());

describe('a worker killed in the middle', () => {
  test.each(['claimed', 'commit.done', 'finished'] as const)('of a load, at "%s"', (step) => crashLoad(stage, step));
  test.each([
    ['claimed', 'create'],
    ['commit.done', 'create'],
    ['commit.prepared', 'append'],
    ['commit.done', 'append'],
  ] as const)('of a query, at "%s", with mode %s', (step, mode) => crashInto(stage, step, mode));
  test.each(['commit.prepared', 'commit.done'] as const)('of a clone, at "%s"', (step) => crashClone(stage, step));
  test('of a query that answers', () => crashAnswer(stage));
  test.each(['claimed', 'maintenance.rewritten', 'finished'] as const)('of a compaction, at "%s"', (step) =>
    crashMaintenance(stage, step),
  );
  test.each(['claimed', 'finished'] as const)('of a deploy, at "%s"', (step) => crashDeploy(stage, step));
  test.each(['claimed', 'task.started', 'commit.done', 'run.ending', 'finished'] as const)(
    'of a run, at "%s"',
    (step) => crashRun(stage, step),
  );
  describe('of a due time', () => {
    beforeAll(() => deployTimed(stage));
    test.each([
      'time.enqueueing',
      'start.starting',
      'start.started',
      'claimed',
      'task.started',
      'commit.prepared',
      'commit.done',
      'finished',
    ] as const)('at "%s"', (step) => crashSchedule(stage, step));
  });
});
