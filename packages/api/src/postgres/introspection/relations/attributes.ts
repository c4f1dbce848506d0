import type { CatalogColumn, CatalogFacts } from '../facts.ts';
import { type CatalogRow, relation } from '../relation.ts';
import { baseType, COLLATED } from './base-types.ts';

const COLUMNS = `attrelid:oid attname:name atttypid:oid attlen:int2 attnum:int2 attcacheoff:int4 atttypmod:int4
  attndims:int2 attbyval:bool attalign:char attstorage:char attcompression:char attnotnull:bool atthasdef:bool
  atthasmissing:bool attidentity:char attgenerated:char attisdropped:bool attislocal:bool attinhcount:int2
  attstattarget:int2 attcollation:oid attacl:text[] attoptions:text[] attfdwoptions:text[] attmissingval:text`;

function attribute(relid: number, number: number, { name, type, nullable }: CatalogColumn): CatalogRow {
  const { align } = baseType(type.oid);
  return {
    ...{ attrelid: relid, attname: name, atttypid: type.oid, attlen: type.size, attnum: number },
    ...{ atttypmod: type.modifier, attndims: type.element === null ? 0 : 1, attbyval: type.size > 0 && type.size <= 8 },
    ...{ attalign: align, attstorage: type.size === -1 ? 'x' : 'p', attnotnull: !nullable },
    attcollation: COLLATED.has(type.name) ? 100 : 0,
  };
}

const attributes = ({ tables }: CatalogFacts): CatalogRow[] =>
  tables.flatMap(({ oid, columns, key }) => [
    ...columns.map((column) => attribute(oid, column.number, column)),
    ...(key?.columns ?? []).map((column, i) => attribute(key!.indexOid, i + 1, column)),
  ]);

export const ATTRIBUTE_RELATIONS = {
  pg_attribute: relation(COLUMNS, attributes, {
    ...{ attcacheoff: -1, attcompression: '', atthasdef: false, atthasmissing: false, attidentity: '' },
    ...{ attgenerated: '', attisdropped: false, attislocal: true, attinhcount: 0, attstattarget: -1 },
  }),
  pg_attrdef: relation('oid:oid adrelid:oid adnum:int2 adbin:text'),
};
