-- AlterTable
ALTER TABLE "environments" ADD COLUMN     "quota_concurrent_queries" INTEGER,
ADD COLUMN     "quota_storage_bytes" BIGINT;

-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "placed" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "queries_waiting" ON "queries"("environment_id", "created_at", "id") WHERE ("status" = 'waiting');

-- CreateIndex
CREATE INDEX "queries_placed" ON "queries"("environment_id") WHERE (placed AND ended_at IS NULL);

-- What waits for a place of its environment's quota has a status that no worker claims.
ALTER TABLE "queries" DROP CONSTRAINT "queries_status";
ALTER TABLE "queries" ADD CONSTRAINT "queries_status"
  CHECK (status IN ('waiting', 'queued', 'running', 'succeeded', 'failed', 'cancelled')
    AND (status IN ('waiting', 'queued', 'running')) = (ended_at IS NULL));
ALTER TABLE "environments" ADD CONSTRAINT "environments_quotas"
  CHECK (quota_storage_bytes >= 0 AND quota_concurrent_queries >= 1);
