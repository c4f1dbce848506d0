import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { DatabaseClock } from './index.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase({ poolSize: 1 });
});
afterAll(() => test_.drop());

async function databaseTime(): Promise<number> {
  const [row] = await test_.db.prisma.$queryRaw<{ at: Date }[]>`SELECT clock_timestamp() AS at`;
  return row!.at.getTime();
}

test.each([86_400_000, -86_400_000])(
  'a machine whose clock is set by %i ms still has the time of the database before it measures again',
  async (set) => {
    let by = 0;
    const log = { warn: () => undefined };
    const clock = await DatabaseClock.open({ db: test_.db, log, system: () => Date.now() + by });
    const before = clock.now().getTime();
    by = set;
    const now = clock.now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThan(before + 3_600_000);
    await clock.stop();
  },
);

test('a machine that was asleep measures as soon as somebody reads the time', async () => {
  const HOUR_MS = 3_600_000;
  let slept = 0;
  const log = { warn: () => undefined };
  const steady = () => performance.now() - slept;
  const clock = await DatabaseClock.open({ db: test_.db, log, steady });
  slept = HOUR_MS;
  clock.now();
  await clock.stop();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual((await databaseTime()) - HOUR_MS / 2);
});

test.each([-600_000, 0, 600_000])(
  'a machine whose clock differs by %i ms has the time of the database',
  async (skew) => {
    const warnings: object[] = [];
    const log = { warn: (fields: object) => warnings.push(fields) };
    let further = 0;
    const clock = await DatabaseClock.open({ db: test_.db, log, system: () => Date.now() + skew + further });
    const expectTime = async () => {
      const before = await databaseTime();
      const now = clock.now().getTime();
      const after = await databaseTime();
      // The difference can be wrong by the round trip of the measurement.
      expect(now).toBeGreaterThanOrEqual(before - 1000);
      expect(now).toBeLessThanOrEqual(after + 1000);
    };
    await expectTime();
    expect(warnings).toHaveLength(skew === 0 ? 0 : 1);
    // Somebody sets the clock of the machine.
    further = 3_600_000;
    await clock.measure();
    await expectTime();
    await clock.measure();
    expect(warnings).toHaveLength(skew === 0 ? 1 : 2);
    await clock.stop();
  },
);
