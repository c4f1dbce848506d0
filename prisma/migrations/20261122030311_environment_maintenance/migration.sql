-- AlterTable
ALTER TABLE "environments" ADD COLUMN     "maintain_compact" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "maintain_expire_days" INTEGER;
