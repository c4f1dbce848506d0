// What Spark alone does: deletes written beside the rows, format version 3, its own maintenance.
import { checker, serviceSide } from './checks.mjs';

/** How many checks failed. */
export async function sparkScenario({ run }, service) {
  const { sql, query, call } = serviceSide(service.url);
  const check = checker('Spark, the rest');
  const beside =
    "'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read'";
  for (const version of [2, 3]) {
    const table = `spark.beside_${version}`;
    await run(
      `CREATE TABLE ${table} (id BIGINT, name STRING) USING iceberg TBLPROPERTIES ('format-version'='${version}', ${beside})`,
    );
    await run(`INSERT INTO ${table} SELECT id, concat('n', id) FROM range(1000)`);
    await run(`DELETE FROM ${table} WHERE id % 10 = 3`);
    await run(`UPDATE ${table} SET name = 'updated' WHERE id = 4`);
    await run(`MERGE INTO ${table} t USING (SELECT 5L AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE`);
    const sums = `SELECT count(*), sum(id), count(CASE WHEN name = 'updated' THEN 1 END) FROM ${table}`;
    await check.equal(`deletes beside the rows, version ${version}`, () => sql(sums), run(sums));
    await query(`SELECT 2000::BIGINT AS id, 'here' AS name`, { into: table, mode: 'append' });
    await check.equal(`rows from here in version ${version}`, () => run(sums), sql(sums));
  }
  const ids = 'SELECT id, _row_id, _last_updated_sequence_number FROM spark.beside_3 ORDER BY id';
  const before = await run(ids);
  const maintenance = '/environments/dev/namespaces/spark/tables/beside_3/maintenance';
  const { id } = await call('POST', maintenance, { compact: true });
  const { result } = await call('GET', `/environments/dev/maintenance/${id}?wait=60`);
  await check.equal('a compaction here in version 3', async () => result.new_files, 1);
  await check.equal('rows keep their ids through it', () => run(ids), before);
  await run("CALL svc.system.rewrite_data_files(table => 'spark.beside_2', options => map('rewrite-all', 'true'))");
  await run(
    "CALL svc.system.expire_snapshots(table => 'spark.beside_2', older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)",
  );
  await check.equal("after Spark's own maintenance", () => sql('SELECT count(*) FROM spark.beside_2'), [['900']]);
  return check.end();
}
