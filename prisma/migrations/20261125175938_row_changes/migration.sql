-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "affected" JSONB,
ADD COLUMN     "dry_run" BOOLEAN NOT NULL DEFAULT false;
