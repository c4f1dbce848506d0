import { relation } from '../relation.ts';

/** Words that must be quoted as names, which SQL reserves: `pg_get_keywords`. */
const RESERVED = `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint
  create current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc
  distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral
  leading limit localtime localtimestamp not null offset on only or order placing primary references returning select
  session_user some symmetric system_user table then to trailing true union unique user using variadic when where
  window with`;

export const KEYWORD_RELATIONS = {
  pg_svc_keywords: relation(
    'word:text catcode:text barelabel:bool catdesc:text baredesc:text',
    () =>
      RESERVED.trim()
        .split(/\s+/)
        .map((word) => ({ word })),
    { catcode: 'R', barelabel: true, catdesc: 'reserved', baredesc: 'can be bare label' },
  ),
};
