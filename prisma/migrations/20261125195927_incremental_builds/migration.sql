-- AlterTable
ALTER TABLE "run_tasks" ADD COLUMN     "checks" JSONB;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "full_refresh" BOOLEAN NOT NULL DEFAULT false;
