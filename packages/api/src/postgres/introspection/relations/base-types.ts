/** PostgreSQL's own types, with the OIDs that clients know: `oid name array-oid category length alignment format-name`. */
const BASE = `
16 bool 1000 B 1 c boolean
17 bytea 1001 U -1 i bytea
18 char 1002 Z 1 c "char"
19 name 1003 S 64 c name
20 int8 1016 N 8 d bigint
21 int2 1005 N 2 s smallint
22 int2vector 1006 A -1 i int2vector
23 int4 1007 N 4 i integer
24 regproc 1008 N 4 i regproc
25 text 1009 S -1 i text
26 oid 1028 N 4 i oid
27 tid 1010 U 6 s tid
28 xid 1011 U 4 i xid
29 cid 1012 U 4 i cid
30 oidvector 1013 A -1 i oidvector
114 json 199 U -1 i json
142 xml 143 U -1 i xml
194 pg_node_tree 0 Z -1 i pg_node_tree
600 point 1017 G 16 d point
650 cidr 651 I -1 i cidr
700 float4 1021 N 4 i real
701 float8 1022 N 8 d double_precision
790 money 791 N 8 d money
829 macaddr 1040 U 6 i macaddr
869 inet 1041 I -1 i inet
1033 aclitem 1034 U 16 d aclitem
1042 bpchar 1014 S -1 i character
1043 varchar 1015 S -1 i character_varying
1082 date 1182 D 4 i date
1083 time 1183 D 8 d time_without_time_zone
1114 timestamp 1115 D 8 d timestamp_without_time_zone
1184 timestamptz 1185 D 8 d timestamp_with_time_zone
1186 interval 1187 T 16 d interval
1266 timetz 1270 D 12 d time_with_time_zone
1560 bit 1561 V -1 i bit
1562 varbit 1563 V -1 i bit_varying
1700 numeric 1231 N -1 i numeric
2202 regprocedure 2207 N 4 i regprocedure
2205 regclass 2210 N 4 i regclass
2206 regtype 2211 N 4 i regtype
2950 uuid 2951 U 16 c uuid
3802 jsonb 3807 U -1 i jsonb
4089 regnamespace 4090 N 4 i regnamespace
4096 regrole 4097 N 4 i regrole`;

/** Pseudo-types: `oid name array-oid`. */
const PSEUDO = `
705 unknown 0
2249 record 2287
2275 cstring 1263
2276 any 0
2277 anyarray 0
2278 void 0
2279 trigger 0
2283 anyelement 0`;

export interface BaseType {
  readonly oid: number;
  readonly name: string;
  /** The name in SQL, as `format_type` writes it. */
  readonly sqlName: string;
  readonly kind: 'b' | 'p';
  readonly category: string;
  readonly length: number;
  readonly align: string;
  /** The OID of its array type, or 0. */
  readonly array: number;
  /** For an array or a vector: the OID of its elements' type, otherwise 0. */
  readonly element: number;
}

/** Types that are lists without being arrays, and the OIDs of their elements' types. */
const VECTORS: Readonly<Record<string, number>> = { int2vector: 21, oidvector: 26 };

export const isArray = ({ name, element }: BaseType): boolean => element !== 0 && !Object.hasOwn(VECTORS, name);

const lines = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

function withArray(type: BaseType): BaseType[] {
  if (type.array === 0) return [type];
  const { oid, name, sqlName, array, align } = type;
  const arrayType: BaseType = {
    ...{ oid: array, name: `_${name}`, sqlName: `${sqlName}[]`, kind: type.kind, category: 'A', length: -1 },
    ...{ align: align === 'd' ? 'd' : 'i', array: 0, element: oid },
  };
  return [type, arrayType];
}

export const BASE_TYPES: readonly BaseType[] = [
  ...lines(BASE).map(([oid, name, array, category, length, align, sqlName]) => ({
    ...{
      oid: Number(oid),
      name: name!,
      sqlName: sqlName!.replaceAll('_', name === sqlName ? '_' : ' '),
      kind: 'b' as const,
    },
    ...{
      category: category!,
      length: Number(length),
      align: align!,
      array: Number(array),
      element: VECTORS[name!] ?? 0,
    },
  })),
  ...lines(PSEUDO).map(([oid, name, array]) => ({
    ...{ oid: Number(oid), name: name!, sqlName: name === 'any' ? '"any"' : name!, kind: 'p' as const },
    ...{ category: 'P', length: name === 'cstring' ? -2 : -1, align: 'i', array: Number(array), element: 0 },
  })),
].flatMap(withArray);

const BY_OID: ReadonlyMap<number, BaseType> = new Map(BASE_TYPES.map((type) => [type.oid, type]));

export const baseType = (oid: number): BaseType => BY_OID.get(oid)!;

/** Types with a collation. */
export const COLLATED = new Set(['text', 'varchar', 'bpchar', '_text', '_varchar', '_bpchar']);
