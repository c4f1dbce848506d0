-- CreateTable
CREATE TABLE "activity_views" (
    "principal_id" UUID NOT NULL,
    "view" TEXT NOT NULL,
    "object_id" UUID NOT NULL,
    "targeting_key" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "activity_views_pkey" PRIMARY KEY ("principal_id","view","object_id","targeting_key")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sequence" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "table_reads" (
    "id" BIGSERIAL NOT NULL,
    "table_id" UUID NOT NULL,
    "principal_id" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "table_reads_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "table_reads_of_table" ON "table_reads"("table_id", "read_at");

-- CreateIndex
CREATE INDEX "table_reads_to_remove" ON "table_reads"("read_at");
