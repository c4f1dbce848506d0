-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "is_long" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "queries_lanes" ON "queries"("is_long", "submitter_id", "created_at", "id") WHERE ("status" = 'queued');
