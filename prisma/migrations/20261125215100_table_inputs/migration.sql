-- CreateTable
CREATE TABLE "table_inputs" (
    "table_id" UUID NOT NULL,
    "input_id" UUID NOT NULL,
    "is_read" BOOLEAN NOT NULL,
    "input_snapshot_id" BIGINT,
    "columns" JSONB,
    "run_id" UUID NOT NULL,
    "project_version_id" UUID NOT NULL,
    "built_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "table_inputs_pkey" PRIMARY KEY ("table_id","input_id")
);

-- CreateIndex
CREATE INDEX "table_inputs_by_input" ON "table_inputs"("input_id");
