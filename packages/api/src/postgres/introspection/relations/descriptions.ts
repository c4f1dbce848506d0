import type { CatalogFacts } from '../facts.ts';
import { relation } from '../relation.ts';

/** The catalogs that the described objects are in: pg_class and pg_namespace. */
const [CLASS, NAMESPACE] = [1259, 2615];

interface Description {
  readonly object: number;
  readonly catalog: number;
  readonly column: number;
  readonly text: string | null;
}

const described = ({ schemas, tables }: CatalogFacts): Description[] =>
  [
    ...schemas.map(({ oid, description }) => ({ object: oid, catalog: NAMESPACE, column: 0, text: description })),
    ...tables.flatMap(({ oid, description, columns }) => [
      { object: oid, catalog: CLASS, column: 0, text: description },
      ...columns.map((column) => ({ object: oid, catalog: CLASS, column: column.number, text: column.description })),
    ]),
  ].filter(({ text }) => text !== null && text !== '');

export const DESCRIPTION_RELATIONS = {
  pg_description: relation('objoid:oid classoid:oid objsubid:int4 description:text', (facts) =>
    described(facts).map(({ object, catalog, column, text }) => ({
      ...{ objoid: object, classoid: catalog, objsubid: column, description: text },
    })),
  ),
  pg_svc_descriptions: relation('svc_object:oid svc_column:int4 svc_text:text', (facts) =>
    described(facts).map(({ object, column, text }) => ({ svc_object: object, svc_column: column, svc_text: text })),
  ),
};
