/** The value of a key that someone else has chosen, or undefined; every object also has `constructor` and `toString`. */
export const ownValue = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
