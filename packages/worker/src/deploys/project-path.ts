/** What is wrong with the path of a project's file, as the end of a sentence about it; null if every worker can store it. */
export function pathFault(path: string): string | null {
  const parts = path.split('/');
  const isUnreadable = /[\p{Cc}\\]/u.test(path) || path.includes('\uFFFD');
  if (path.length > 1024 || isUnreadable || parts.some((part) => Buffer.byteLength(part) > 255))
    return 'has an unreadable or overlong name';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is an absolute path';
  if (parts.includes('..')) return 'points outside its folder';
  if (parts.some((part) => part.toLowerCase() === '.git')) return 'is in .git';
  return parts.length > 64 ? 'is nested too deeply' : null;
}
