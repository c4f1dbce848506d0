-- CreateTable
CREATE TABLE "maintenance" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "table_id" UUID NOT NULL,
    "requested_by" UUID,
    "compact" BOOLEAN NOT NULL,
    "expire_days" INTEGER,
    "status" TEXT NOT NULL,
    "result" JSONB,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_fence" BIGINT NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "request_id" TEXT,

    CONSTRAINT "maintenance_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "maintenance_queued" ON "maintenance"("created_at") WHERE ("status" = 'queued');

-- CreateIndex
CREATE INDEX "maintenance_leased" ON "maintenance"("lease_expires_at") WHERE ("status" = 'running');

-- CreateIndex
CREATE INDEX "maintenance_of_table" ON "maintenance"("table_id", "created_at" DESC);

-- Of the closed union of work statuses; what has ended has its time.
ALTER TABLE "maintenance" ADD CONSTRAINT "maintenance_status"
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled') AND (status IN ('queued', 'running')) = (ended_at IS NULL));
