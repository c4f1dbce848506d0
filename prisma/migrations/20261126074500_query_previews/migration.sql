-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "preview" JSONB;
