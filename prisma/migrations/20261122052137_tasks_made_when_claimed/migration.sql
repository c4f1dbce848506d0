-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "planned" JSONB;
