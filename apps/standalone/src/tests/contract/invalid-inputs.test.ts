import { HOSTILE_INPUTS, HostileInputs } from '../../testing/invalid-inputs.ts';

// The long form measures how long the process is blocked.
let hostile: HostileInputs;
beforeAll(async () => {
  hostile = await HostileInputs.start();
}, 60_000);
afterAll(() => hostile.stop());

test.each(HOSTILE_INPUTS)(
  '%s is answered as it should be, and other requests with it',
  async (name) => {
    const answered = hostile.inputs[name]();
    const alive = await fetch(`${hostile.service.url}/livez`);
    expect(alive.status).toBe(200);
    await answered;
  },
  120_000,
);
