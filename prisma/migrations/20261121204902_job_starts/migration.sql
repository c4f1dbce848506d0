-- CreateTable
CREATE TABLE "job_starts" (
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "repository_id" UUID NOT NULL,
    "trigger" TEXT NOT NULL,
    "requesters" UUID[],
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "scheduled_for" TIMESTAMPTZ(3),
    "missed" INTEGER NOT NULL DEFAULT 0,
    "merged" INTEGER NOT NULL DEFAULT 1,
    "ended_at" TIMESTAMPTZ(3),
    "run_id" UUID,
    "reason" TEXT,

    CONSTRAINT "job_starts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "job_starts_of_project" ON "job_starts"("environment_id", "repository_id", "requested_at") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE INDEX "job_starts_waiting" ON "job_starts"("requested_at") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "job_starts_one_waiting" ON "job_starts"("job_id") WHERE ("ended_at" IS NULL);
