// Settings of Prisma's command line. Migrations are applied by the service itself (packages/db/src/migrate).
export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
};
