-- CreateIndex
CREATE INDEX "grants_to_groups" ON "grants"("object_id", "group_id") WHERE (ended_at IS NULL AND group_id IS NOT NULL);
