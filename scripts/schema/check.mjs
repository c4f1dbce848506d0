// Fails when prisma/schema.prisma and prisma/migrations say different things.
import { missingStatements } from './difference.mjs';

const missing = await missingStatements();
if (missing) {
  console.error(
    `prisma/schema.prisma says more than the migrations do. Write what is missing with "npm run migration -- NAME":\n\n${missing}`,
  );
  process.exitCode = 1;
}
