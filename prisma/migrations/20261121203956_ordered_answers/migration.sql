-- AlterTable
ALTER TABLE "idempotency_keys" ALTER COLUMN "answer" SET DATA TYPE JSON;
