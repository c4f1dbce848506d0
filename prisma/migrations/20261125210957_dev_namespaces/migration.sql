-- AlterTable
ALTER TABLE "deploys" ADD COLUMN     "dev_namespace" TEXT;

-- AlterTable
ALTER TABLE "project_versions" ADD COLUMN     "dev_namespace" TEXT;
