-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "cached" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "use_cache" BOOLEAN NOT NULL DEFAULT true;
