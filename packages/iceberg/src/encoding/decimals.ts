/** Two's complement, big-endian, in the minimum number of bytes or in `size` bytes. */
export function decimalBytes(unscaled: bigint, size?: number): Buffer {
  let length = size ?? 1;
  if (size === undefined) while (BigInt.asIntN(8 * length, unscaled) !== unscaled) length += 1;
  const hex = BigInt.asUintN(8 * length, unscaled)
    .toString(16)
    .padStart(2 * length, '0');
  return Buffer.from(hex, 'hex');
}

/** The decimal text of two's complement bytes, with `scale` digits after the decimal point. */
export function decimalText(bytes: Buffer, scale: number): string {
  const unscaled = unscaledOf(bytes);
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${unscaled < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

/** The integer in two's complement bytes. */
export function unscaledOf(bytes: Buffer): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex') || '0'}`));
}
