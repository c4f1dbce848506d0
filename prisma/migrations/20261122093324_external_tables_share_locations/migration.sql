-- DropIndex
DROP INDEX "tables_location_held";

-- CreateIndex
CREATE UNIQUE INDEX "tables_location_held" ON "tables"("location") WHERE ((purged_at IS NULL) AND (kind <> 'external'::text));
