import type { CatalogFacts, CatalogKey, CatalogTable } from '../facts.ts';
import { type CatalogRow, relation } from '../relation.ts';
import { quoteName } from '../settings.ts';
import { COLLATED } from './base-types.ts';
import { indexDefinition } from './classes.ts';

const keyed = ({ tables }: CatalogFacts): { table: CatalogTable; key: CatalogKey }[] =>
  tables.flatMap((table) => (table.key === null ? [] : [{ table, key: table.key }]));

const numbers = ({ columns }: CatalogKey): number[] => columns.map(({ number }) => number);

const constraint = ({ table, key }: { table: CatalogTable; key: CatalogKey }): CatalogRow => ({
  ...{ oid: key.constraintOid, conname: key.name, connamespace: table.schemaOid, conrelid: table.oid },
  ...{ conindid: key.indexOid, conkey: numbers(key) },
});

const index = ({ table, key }: { table: CatalogTable; key: CatalogKey }): CatalogRow => ({
  ...{ indexrelid: key.indexOid, indrelid: table.oid, indnatts: key.columns.length, indnkeyatts: key.columns.length },
  indkey: numbers(key),
  indcollation: key.columns.map(({ type }) => (COLLATED.has(type.name) ? 100 : 0)),
  // The operator classes of an index have no rows of their own.
  indclass: key.columns.map(() => 0),
  indoption: key.columns.map(() => 0),
});

const names = (key: CatalogKey): string => key.columns.map(({ name }) => quoteName(name)).join(', ');

export const KEY_RELATIONS = {
  pg_constraint: relation(
    `oid:oid conname:name connamespace:oid contype:char condeferrable:bool condeferred:bool convalidated:bool
      conrelid:oid contypid:oid conindid:oid conparentid:oid confrelid:oid confupdtype:char confdeltype:char
      confmatchtype:char conislocal:bool coninhcount:int2 connoinherit:bool conkey:int2[] confkey:int2[]
      conpfeqop:oid[] conppeqop:oid[] conffeqop:oid[] confdelsetcols:int2[] conexclop:oid[] conbin:text`,
    (facts) => keyed(facts).map(constraint),
    {
      ...{ contype: 'p', condeferrable: false, condeferred: false, convalidated: true, contypid: 0, conparentid: 0 },
      ...{ confrelid: 0, confupdtype: ' ', confdeltype: ' ', confmatchtype: ' ', conislocal: true, coninhcount: 0 },
      connoinherit: true,
    },
  ),
  pg_index: relation(
    `indexrelid:oid indrelid:oid indnatts:int2 indnkeyatts:int2 indisunique:bool indnullsnotdistinct:bool
      indisprimary:bool indisexclusion:bool indimmediate:bool indisclustered:bool indisvalid:bool indcheckxmin:bool
      indisready:bool indislive:bool indisreplident:bool indkey:int2[] indcollation:oid[] indclass:oid[]
      indoption:int2[] indexprs:text indpred:text`,
    (facts) => keyed(facts).map(index),
    {
      ...{ indisunique: true, indnullsnotdistinct: false, indisprimary: true, indisexclusion: false },
      ...{ indimmediate: true, indisclustered: false, indisvalid: true, indcheckxmin: false, indisready: true },
      ...{ indislive: true, indisreplident: false },
    },
  ),
  /** `svc_column`: 0 for the index, a number for its column, -1 for the constraint. */
  pg_svc_definitions: relation('svc_oid:oid svc_column:int4 svc_definition:text', (facts) =>
    keyed(facts).flatMap(({ table: { schema, name }, key }) => [
      { svc_oid: key.indexOid, svc_column: 0, svc_definition: indexDefinition({ schema, name, key }) },
      { svc_oid: key.constraintOid, svc_column: -1, svc_definition: `PRIMARY KEY (${names(key)})` },
      ...key.columns.map((column, i) => ({
        ...{ svc_oid: key.indexOid, svc_column: i + 1, svc_definition: quoteName(column.name) },
      })),
    ]),
  ),
};
