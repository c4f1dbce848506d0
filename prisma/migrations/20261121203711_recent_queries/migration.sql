-- DropIndex
DROP INDEX "queries_of_submitter";

-- DropIndex
DROP INDEX "queries_page";

-- AlterTable
ALTER TABLE "queries" ADD COLUMN     "recent" BOOLEAN NOT NULL DEFAULT true;

-- CreateIndex
CREATE INDEX "queries_page" ON "queries"("environment_id", "created_at" DESC, "id" DESC) WHERE ("recent" = true);

-- CreateIndex
CREATE INDEX "queries_of_submitter" ON "queries"("environment_id", "submitter_id", "created_at" DESC, "id" DESC) WHERE ("recent" = true);

-- CreateIndex
CREATE INDEX "queries_not_ended" ON "queries"("environment_id", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "queries_ended" ON "queries"("environment_id", "ended_at") WHERE ("recent" = true);
