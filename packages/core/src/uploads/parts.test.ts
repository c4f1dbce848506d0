import { partBytes, partCount, sizeOfPart } from './index.ts';

test.each([
  [1, 1, 1],
  [64 * 1024 ** 2, 1, 64 * 1024 ** 2],
  [64 * 1024 ** 2 + 1, 2, 1],
  [1024 ** 4, 2000, 549_755_590],
])('a file of %d bytes has %d parts, the last of %d bytes', (size, parts, last) => {
  const file = { size, part_bytes: partBytes(size) };
  expect(partCount(file)).toBe(parts);
  expect(sizeOfPart(file, parts)).toBe(last);
  expect((parts - 1) * file.part_bytes + last).toBe(size);
});
