-- AlterTable
ALTER TABLE "writes" ADD COLUMN     "merge_key" TEXT[] DEFAULT ARRAY[]::TEXT[];
