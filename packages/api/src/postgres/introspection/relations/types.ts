import { type CatalogRelation, relation } from '../relation.ts';
import { BASE_TYPES, type BaseType, COLLATED, isArray } from './base-types.ts';
import { BOOTSTRAP_USER, PG_CATALOG } from './namespaces.ts';

/** Functions that read and write the values of types. Clients recognize arrays by them. */
const ARRAY_FUNCTIONS = { in: 750, out: 751, recv: 2400, send: 2401 };
/** The functions of other types have no fixed OIDs here: clients only compare them. */
const FUNCTIONS_FROM = 12_000;

type Side = keyof typeof ARRAY_FUNCTIONS;
const SIDES: readonly Side[] = ['in', 'out', 'recv', 'send'];

const functionOid = (type: BaseType, side: Side): number =>
  isArray(type) ? ARRAY_FUNCTIONS[side] : FUNCTIONS_FROM + BASE_TYPES.indexOf(type) * 4 + SIDES.indexOf(side);

const COLUMNS = `oid:oid typname:name typnamespace:oid typowner:oid typlen:int2 typbyval:bool typtype:char
  typcategory:char typispreferred:bool typisdefined:bool typdelim:char typrelid:oid typsubscript:oid typelem:oid
  typarray:oid typinput:oid typoutput:oid typreceive:oid typsend:oid typmodin:oid typmodout:oid typanalyze:oid
  typalign:char typstorage:char typnotnull:bool typbasetype:oid typtypmod:int4 typndims:int4 typcollation:oid
  typdefaultbin:text typdefault:text typacl:text[]`;

const PREFERRED = new Set(['bool', 'text', 'float8', 'oid', 'timestamptz', 'interval', 'inet', 'varbit']);
const MODIFIED: Readonly<Record<string, readonly [number, number]>> = { numeric: [2917, 2918], varchar: [2915, 2916] };

const TYPE_ROWS = BASE_TYPES.map((type) => ({
  oid: type.oid,
  typname: type.name,
  typlen: type.length,
  typbyval: type.length > 0 && type.length <= 8 && type.name !== 'tid' && type.name !== 'macaddr',
  typtype: type.kind,
  typcategory: type.category,
  typispreferred: PREFERRED.has(type.name),
  typelem: type.element,
  typarray: type.array,
  typinput: functionOid(type, 'in'),
  typoutput: functionOid(type, 'out'),
  typreceive: functionOid(type, 'recv'),
  typsend: functionOid(type, 'send'),
  typmodin: MODIFIED[type.name]?.[0] ?? 0,
  typmodout: MODIFIED[type.name]?.[1] ?? 0,
  typalign: type.align,
  typstorage: type.length === -1 ? 'x' : 'p',
  typcollation: COLLATED.has(type.name) ? 100 : type.name === 'name' ? 950 : 0,
  typsubscript: type.element !== 0 ? 6179 : 0,
}));

const pgType: CatalogRelation = relation(COLUMNS, () => TYPE_ROWS, {
  ...{ typnamespace: PG_CATALOG, typowner: BOOTSTRAP_USER, typisdefined: true, typdelim: ',', typrelid: 0 },
  ...{ typanalyze: 0, typnotnull: false, typbasetype: 0, typtypmod: -1, typndims: 0 },
});

/** The functions of types: svc has no functions that a statement can create or list. */
const FUNCTION_ROWS = [
  ...SIDES.map((side) => ({ oid: ARRAY_FUNCTIONS[side], proname: `array_${side}` })),
  ...BASE_TYPES.filter((type) => !isArray(type)).flatMap((type) =>
    SIDES.map((side) => ({
      oid: functionOid(type, side),
      proname: `${type.name}${/^(?:date|time|timestamp|timetz|timestamptz|interval|numeric|json|jsonb|uuid|record|cstring|void)$/.test(type.name) ? '_' : ''}${side}`,
    })),
  ),
];

const pgProc: CatalogRelation = relation(
  `oid:oid proname:name pronamespace:oid proowner:oid prolang:oid procost:float4 prorows:float4 provariadic:oid
    prosupport:oid prokind:char prosecdef:bool proleakproof:bool proisstrict:bool proretset:bool provolatile:char
    proparallel:char pronargs:int2 pronargdefaults:int2 prorettype:oid proargtypes:oid[] proallargtypes:oid[]
    proargmodes:text[] proargnames:text[] proargdefaults:text protrftypes:oid[] prosrc:text probin:text
    prosqlbody:text proconfig:text[] proacl:text[]`,
  () => FUNCTION_ROWS,
  {
    ...{ pronamespace: PG_CATALOG, proowner: BOOTSTRAP_USER, prolang: 12, procost: 1, prorows: 0, provariadic: 0 },
    ...{ prosupport: 0, prokind: 'f', prosecdef: false, proleakproof: false, proisstrict: true, proretset: false },
    ...{ provolatile: 'i', proparallel: 's', pronargs: 1, pronargdefaults: 0, prorettype: 2275, proargtypes: [2275] },
  },
);

export const TYPE_RELATIONS = {
  pg_type: pgType,
  pg_proc: pgProc,
  pg_svc_types: relation('svc_oid:oid svc_name:text', () =>
    BASE_TYPES.map(({ oid, sqlName }) => ({ svc_oid: oid, svc_name: sqlName })),
  ),
};

export const PROCEDURES: readonly { readonly oid: number; readonly proname: string }[] = FUNCTION_ROWS;
