import type { ByteWriter } from './byte-writer.ts';
import { writeSmall } from './digits.ts';
import { longAt } from './vector.ts';

export const DAY_MICROS = 86_400_000_000;
const [COLON, DASH, POINT, SPACE, PLUS, ZERO] = [58, 45, 46, 32, 43, 48];
/** The engine's infinite dates and times. */
export const INFINITE_DAYS = 0x7fff_ffff;
const INFINITE_LIMBS = [-1, 0x7fff_ffff] as const;
const NEGATIVE_INFINITE_LIMBS = [1, -0x8000_0000] as const;
/** "-infinity", or a date with seven digits of the year, time, zone and era. */
const MAX_BYTES = 48;

/** 1 or -1 if the engine means infinity, otherwise 0. */
export function infinityOf(limbs: Int32Array, row: number): number {
  const [low, high] = [limbs[2 * row]!, limbs[2 * row + 1]!];
  if (high === INFINITE_LIMBS[1] && low === INFINITE_LIMBS[0]) return 1;
  return high === NEGATIVE_INFINITE_LIMBS[1] && low === NEGATIVE_INFINITE_LIMBS[0] ? -1 : 0;
}

export function writeDate(out: ByteWriter, days: number): void {
  out.reserve(MAX_BYTES);
  if (days === INFINITE_DAYS || days === -INFINITE_DAYS) {
    out.ascii(days > 0 ? 'infinity' : '-infinity');
    return;
  }
  if (writeDays(out, days)) out.ascii(' BC');
}

export function writeTime(out: ByteWriter, limbs: Int32Array, row: number): void {
  out.reserve(MAX_BYTES);
  writeClock(out, limbs[2 * row + 1]! * 0x1_0000_0000 + (limbs[2 * row]! >>> 0));
}

export function writeTimestamp(out: ByteWriter, limbs: Int32Array, row: number, hasZone: boolean): void {
  out.reserve(MAX_BYTES);
  const infinity = infinityOf(limbs, row);
  if (infinity !== 0) {
    out.ascii(infinity > 0 ? 'infinity' : '-infinity');
    return;
  }
  let micros = limbs[2 * row + 1]! * 0x1_0000_0000 + (limbs[2 * row]! >>> 0);
  let days = Math.floor(micros / DAY_MICROS);
  if (Math.abs(micros) < Number.MAX_SAFE_INTEGER) micros -= days * DAY_MICROS;
  else {
    const exact = longAt(limbs, row);
    micros = Number(((exact % MICROS) + MICROS) % MICROS);
    days = Number((exact - BigInt(micros)) / MICROS);
  }
  const isBeforeChrist = writeDays(out, days);
  out.bytes[out.at++] = SPACE;
  writeClock(out, micros);
  if (hasZone) {
    out.bytes[out.at++] = PLUS;
    out.bytes[out.at++] = ZERO;
    out.bytes[out.at++] = ZERO;
  }
  if (isBeforeChrist) out.ascii(' BC');
}

const MICROS = BigInt(DAY_MICROS);

/** Writes the date of a day counted from 1970; returns whether it is before Christ. */
function writeDays(out: ByteWriter, days: number): boolean {
  // Days since 0000-03-01, in eras of 400 years, whose years start in March.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const day = (shifted - era * 146_097) | 0;
  const yearOfEra = ((day - ((day / 1460) | 0) + ((day / 36_524) | 0) - ((day / 146_096) | 0)) / 365) | 0;
  const dayOfYear = day - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  writeSmall(out, year > 0 ? year : 1 - year, 4);
  out.bytes[out.at++] = DASH;
  writeSmall(out, month, 2);
  out.bytes[out.at++] = DASH;
  writeSmall(out, dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1, 2);
  return year <= 0;
}

function writeClock(out: ByteWriter, micros: number): void {
  const seconds = Math.floor(micros / 1_000_000);
  let rest = (micros - seconds * 1_000_000) | 0;
  const minutes = (seconds / 60) | 0;
  const hours = (minutes / 60) | 0;
  writeSmall(out, hours, 2);
  out.bytes[out.at++] = COLON;
  writeSmall(out, minutes - hours * 60, 2);
  out.bytes[out.at++] = COLON;
  writeSmall(out, seconds - minutes * 60, 2);
  if (rest === 0) return;
  let width = 6;
  for (; rest % 10 === 0; width--) rest = (rest / 10) | 0;
  out.bytes[out.at++] = POINT;
  writeSmall(out, rest, width);
}
