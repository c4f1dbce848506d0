-- AlterTable
ALTER TABLE "writes" ADD COLUMN     "progress" DOUBLE PRECISION;
