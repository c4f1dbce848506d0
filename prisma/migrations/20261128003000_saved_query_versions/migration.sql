-- AlterTable
ALTER TABLE "saved_queries" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "query_tabs" ADD COLUMN "saved_query_version" INTEGER;
