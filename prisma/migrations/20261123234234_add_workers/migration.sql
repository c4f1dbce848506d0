-- CreateTable
CREATE TABLE "workers" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "isolation" TEXT NOT NULL,
    "task_limits" JSONB NOT NULL,
    "notes" TEXT[],

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);
