-- AlterTable
ALTER TABLE "staging_tables" ADD COLUMN     "task_id" UUID;
