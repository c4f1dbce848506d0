-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "name" TEXT;

-- AlterTable
ALTER TABLE "writes" ADD COLUMN     "csv" JSONB,
ADD COLUMN     "csv_options" JSONB,
ADD COLUMN     "file_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "file_parts" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "max_errors" INTEGER,
ADD COLUMN     "rejected" BIGINT,
ADD COLUMN     "rejected_location" TEXT;
