-- DropIndex
DROP INDEX "tables_to_purge";

-- CreateIndex
CREATE INDEX "tables_to_purge" ON "tables"("purge_after", "id") WHERE (dropped_at IS NOT NULL AND purged_at IS NULL);
