// Fails if prisma/schema.prisma and prisma/migrations differ; with --print, prints the difference.
// Run with --import ./scripts/typescript.mjs.
import { missingStatements } from './difference.mjs';

const missing = await missingStatements().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
if (process.argv.includes('--print')) {
  process.stdout.write(missing);
} else if (missing) {
  console.error(
    `prisma/schema.prisma says more than the migrations do. Write what is missing with "npm run migration -- NAME":\n\n${missing}`,
  );
  process.exitCode = 1;
}
