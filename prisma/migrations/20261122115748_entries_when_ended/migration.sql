-- DropIndex
DROP INDEX "audit_events_by_environment";

-- DropIndex
DROP INDEX "audit_events_by_principal";

-- DropIndex
DROP INDEX "audit_events_by_type";

-- DropIndex
DROP INDEX "audit_events_page";

-- DropIndex
DROP INDEX "audit_events_sequence_key";

-- DropIndex
DROP INDEX "audit_events_unsealed";

-- DropIndex
DROP INDEX "runs_by_job";

-- DropIndex
DROP INDEX "runs_by_repository";

-- DropIndex
DROP INDEX "runs_by_status";

-- DropIndex
DROP INDEX "runs_by_trigger";

-- DropIndex
DROP INDEX "runs_of_job";

-- DropIndex
DROP INDEX "runs_page";

-- CreateIndex
CREATE INDEX "audit_events_page" ON "audit_events"("time" DESC, "id" DESC) WHERE ("sequence" IS NOT NULL);

-- CreateIndex
CREATE INDEX "audit_events_by_type" ON "audit_events"("type", "time" DESC, "id" DESC) WHERE ("sequence" IS NOT NULL);

-- CreateIndex
CREATE INDEX "audit_events_by_principal" ON "audit_events"("principal_id", "time" DESC, "id" DESC) WHERE ("sequence" IS NOT NULL);

-- CreateIndex
CREATE INDEX "audit_events_by_environment" ON "audit_events"("environment_id", "time" DESC, "id" DESC) WHERE ("sequence" IS NOT NULL);

-- CreateIndex
CREATE INDEX "audit_events_unsealed" ON "audit_events"("time" DESC, "id" DESC) WHERE ("sequence" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "audit_events_sequence_key" ON "audit_events"("sequence") WHERE ("sequence" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_active" ON "runs"("environment_id", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "runs_page" ON "runs"("environment_id", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_of_job" ON "runs"("environment_id", "repository_id", "job", "created_at" DESC) WHERE ("ended_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_by_repository" ON "runs"("environment_id", "repository_id", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_by_job" ON "runs"("environment_id", "job", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_by_status" ON "runs"("environment_id", "status", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "runs_by_trigger" ON "runs"("environment_id", "trigger", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NOT NULL);
