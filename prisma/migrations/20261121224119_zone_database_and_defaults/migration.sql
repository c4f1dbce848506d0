-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "zone_database" TEXT;

-- AlterTable
ALTER TABLE "project_versions" ADD COLUMN     "defaults" JSONB NOT NULL DEFAULT '{"retries": 0, "timeoutSeconds": null}';
