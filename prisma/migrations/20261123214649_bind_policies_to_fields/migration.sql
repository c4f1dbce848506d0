-- AlterTable
ALTER TABLE "column_masks" ADD COLUMN     "broken_at" TIMESTAMPTZ(3),
ADD COLUMN     "fields" JSONB;

-- AlterTable
ALTER TABLE "row_filters" ADD COLUMN     "broken_at" TIMESTAMPTZ(3),
ADD COLUMN     "fields" JSONB;
