-- AlterTable
ALTER TABLE "deploys" ADD COLUMN     "assets" JSONB,
ADD COLUMN     "dirty" BOOLEAN;

-- AlterTable
ALTER TABLE "project_versions" ADD COLUMN     "dirty" BOOLEAN;
