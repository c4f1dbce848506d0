-- AlterTable
ALTER TABLE "staging_tables" ADD COLUMN     "base_location" TEXT;
