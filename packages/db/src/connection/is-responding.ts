import type { Database } from './open.ts';

export const isResponding = ({ prisma }: Database): Promise<boolean> =>
  prisma.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
