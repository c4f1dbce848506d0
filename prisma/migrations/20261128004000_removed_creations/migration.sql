-- AlterTable
ALTER TABLE "table_creations" ADD COLUMN "removal_started_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "removed_creations" (
    "location" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "removed_creations_pkey" PRIMARY KEY ("location")
);
