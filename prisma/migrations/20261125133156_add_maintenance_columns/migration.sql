-- AlterTable
ALTER TABLE "maintenance" ADD COLUMN     "bloom_filters" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sort_by" TEXT[] DEFAULT ARRAY[]::TEXT[];
