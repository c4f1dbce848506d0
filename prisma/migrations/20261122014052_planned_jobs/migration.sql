-- DropIndex
DROP INDEX "jobs_due";

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "tasks" JSONB;

-- CreateIndex
CREATE INDEX "jobs_due" ON "jobs"("next_run_at", "id") WHERE (removed_at IS NULL AND NOT paused);
