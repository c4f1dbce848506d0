-- AlterTable
ALTER TABLE "deploys" ADD COLUMN     "traceparent" TEXT;

-- AlterTable
ALTER TABLE "maintenance" ADD COLUMN     "traceparent" TEXT;

-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "traceparent" TEXT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "traceparent" TEXT;

-- AlterTable
ALTER TABLE "writes" ADD COLUMN     "traceparent" TEXT;
