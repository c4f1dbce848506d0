// The clock of a machine that is wrong by TEST_CLOCK_SKEW_MS milliseconds, for the whole process.
const skewMs = Number(process.env.TEST_CLOCK_SKEW_MS ?? 0);
const SystemDate = Date;

class SkewedDate extends SystemDate {
  constructor(...args) {
    super(...(args.length === 0 ? [SkewedDate.now()] : args));
  }

  static now() {
    return SystemDate.now() + skewMs;
  }
}

if (skewMs !== 0) globalThis.Date = SkewedDate;
