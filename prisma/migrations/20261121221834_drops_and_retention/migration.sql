-- AlterTable
ALTER TABLE "environments" ADD COLUMN     "drop_id" UUID;

-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "retention_error" JSONB;

-- AlterTable
ALTER TABLE "tables" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "held_at" TIMESTAMPTZ(3),
ADD COLUMN     "held_by" UUID,
ADD COLUMN     "hold_reason" TEXT,
ADD COLUMN     "hold_until" TIMESTAMPTZ(3),
ADD COLUMN     "idle_since" TIMESTAMPTZ(3),
ADD COLUMN     "purge_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "purge_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "purge_error" TEXT,
ADD COLUMN     "purge_files" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "restored_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "table_creations" (
    "location" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "table_creations_pkey" PRIMARY KEY ("location")
);

-- CreateIndex
CREATE INDEX "table_creations_by_age" ON "table_creations"("created_at");

-- CreateIndex
CREATE INDEX "column_masks_of_drop" ON "column_masks"("ended_by_drop");

-- CreateIndex
CREATE INDEX "environments_to_purge" ON "environments"("purge_after") WHERE (deleted_at IS NOT NULL AND purged_at IS NULL);

-- CreateIndex
CREATE INDEX "row_filters_of_drop" ON "row_filters"("ended_by_drop");

-- CreateIndex
-- (A prefix is a range in byte order alone.)
CREATE INDEX "tables_location_bytes" ON "tables"("location" COLLATE "C") WHERE ("purged_at" IS NULL);

-- CreateIndex
CREATE INDEX "tables_dropped" ON "tables"("namespace_id", "dropped_at" DESC, "id" DESC) WHERE (dropped_at IS NOT NULL AND purged_at IS NULL);

-- CreateIndex
CREATE INDEX "tables_purges" ON "tables"("namespace_id", "purge_after" DESC, "id" DESC) WHERE (purge_after IS NOT NULL);

-- CreateIndex
CREATE INDEX "tables_expiring" ON "tables"("environment_id", "expires_at", "id") WHERE (expires_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "tables_idle" ON "tables"("environment_id", "idle_since", "id") WHERE (idle_since IS NOT NULL);

-- CreateIndex
CREATE INDEX "tables_idle_ids" ON "tables"("environment_id", "id") WHERE (idle_since IS NOT NULL);

-- What a table expires by follows from its row: kept here, so that no writer can forget it. A day is 24 hours (UTC).
CREATE FUNCTION tables_expiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := NULL;
  NEW.idle_since := NULL;
  IF NEW.dropped_at IS NULL AND NEW.kind = 'managed' THEN
    IF NEW.retention_on IS NOT NULL THEN
      NEW.expires_at := NEW.retention_on::timestamp AT TIME ZONE 'UTC';
    ELSIF NEW.retention_days IS NOT NULL THEN
      NEW.expires_at := greatest(NEW.updated_at, NEW.last_read_at) + make_interval(hours => 24 * NEW.retention_days);
    ELSIF NOT NEW.retention_never THEN
      NEW.idle_since := greatest(NEW.updated_at, NEW.last_read_at);
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tables_expiry BEFORE INSERT OR UPDATE ON "tables" FOR EACH ROW EXECUTE FUNCTION tables_expiry();
UPDATE "tables" SET updated_at = updated_at;

-- A dropped table says how; whose files are being deleted can only go on being deleted.
ALTER TABLE "tables"
  ADD CONSTRAINT "tables_dropped_how" CHECK (num_nulls(dropped_at, drop_id, drop_reason) IN (0, 3)),
  ADD CONSTRAINT "tables_purged_once_dropped" CHECK (num_nonnulls(purge_after, purge_started_at, purged_at) = 0 OR dropped_at IS NOT NULL),
  ADD CONSTRAINT "tables_held_why" CHECK ((held_at IS NULL) = (hold_reason IS NULL) AND (hold_until IS NULL OR held_at IS NOT NULL)),
  ADD CONSTRAINT "tables_retention_range" CHECK (retention_days BETWEEN 1 AND 3650);
ALTER TABLE "environments"
  ADD CONSTRAINT "environments_deleted_how" CHECK (num_nulls(deleted_at, purge_after, drop_id) IN (0, 3)),
  ADD CONSTRAINT "environments_purged_once_deleted" CHECK (purged_at IS NULL OR deleted_at IS NOT NULL),
  ADD CONSTRAINT "environments_retention_range" CHECK (retention_days BETWEEN 1 AND 3650);
