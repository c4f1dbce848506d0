-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "tasks" JSONB;
