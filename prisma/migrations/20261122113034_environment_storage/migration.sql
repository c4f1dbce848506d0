-- AlterTable
ALTER TABLE "environments" ADD COLUMN     "storage_location" TEXT,
ADD COLUMN     "storage_secret" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "environments_storage_held" ON "environments"("storage_location") WHERE ((purged_at IS NULL) AND (storage_location IS NOT NULL));

-- A secret opens a place; without one there is nothing to open.
ALTER TABLE "environments" ADD CONSTRAINT "environments_storage"
  CHECK (storage_location LIKE 's3://%' AND storage_location NOT LIKE '%/' OR storage_location IS NULL AND storage_secret IS NULL);
