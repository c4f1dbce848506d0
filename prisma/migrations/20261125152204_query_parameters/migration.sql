-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "params" JSONB;
