-- CreateIndex
CREATE INDEX "deploys_by_repository" ON "deploys"("environment_id", "repository_id", "created_at" DESC, "id" DESC) WHERE ("dry_run" = false);

-- CreateIndex
CREATE INDEX "grants_by_action" ON "grants"("action", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "grants_by_role" ON "grants"("role", "created_at" DESC, "id" DESC) WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "queries_failed" ON "queries"("environment_id", "status", "created_at" DESC, "id" DESC) WHERE (recent AND (status = ANY (ARRAY['failed'::text, 'cancelled'::text])));

-- CreateIndex
CREATE INDEX "runs_by_repository" ON "runs"("environment_id", "repository_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "runs_by_job" ON "runs"("environment_id", "job", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "runs_by_status" ON "runs"("environment_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "runs_by_trigger" ON "runs"("environment_id", "trigger", "created_at" DESC, "id" DESC);
