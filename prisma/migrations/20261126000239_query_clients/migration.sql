-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "client" JSONB,
ADD COLUMN     "parameter_types" JSONB,
ADD COLUMN     "search_path" JSONB,
ADD COLUMN     "source" TEXT;
