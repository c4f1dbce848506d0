import { StatementSlots } from './statement-slots.ts';

test('long statements leave one slot to short ones (QUERY-10)', () => {
  const slots = new StatementSlots(3);
  const long = [slots.tryAcquire(true), slots.tryAcquire(true)];
  expect(long).not.toContain(null);
  expect(slots.tryAcquire(true)).toBeNull();
  const short = slots.tryAcquire(false)!;
  expect(slots.tryAcquire(false)).toBeNull();
  expect(short.tryBecomeLong()).toBe(false);
  long[0]!.release();
  expect(short.tryBecomeLong()).toBe(true);
  expect(short.tryBecomeLong()).toBe(true);
  expect(slots.tryAcquire(true)).toBeNull();
  short.release();
  expect(slots.tryAcquire(true)).not.toBeNull();
});

test('short statements may take every slot', () => {
  const slots = new StatementSlots(2);
  expect([slots.tryAcquire(false), slots.tryAcquire(false)]).not.toContain(null);
  expect(slots.tryAcquire(false)).toBeNull();
});

test('a single slot is for both', () => {
  const slots = new StatementSlots(1);
  const long = slots.tryAcquire(true)!;
  expect(slots.tryAcquire(false)).toBeNull();
  long.release();
  expect(slots.tryAcquire(false)!.tryBecomeLong()).toBe(true);
});
