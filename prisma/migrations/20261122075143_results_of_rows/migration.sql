-- DropIndex
DROP INDEX "queries_results_to_remove";

-- CreateIndex
CREATE INDEX "queries_results_to_remove" ON "queries"("result_expires_at") WHERE ((result_location IS NOT NULL) OR (first_rows IS NOT NULL));
