import { relation } from '../relation.ts';

/** The only role that a session sees is its own. It has no attributes: svc decides access by grants. */
const ATTRIBUTES = { rolsuper: false, rolinherit: true, rolcreaterole: false, rolcreatedb: false, rolcanlogin: true };
const MORE = { rolreplication: false, rolbypassrls: false, rolconnlimit: -1 };

export const ROLE_RELATIONS = {
  pg_roles: relation(
    `rolname:name rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool rolcanlogin:bool
      rolreplication:bool rolconnlimit:int4 rolpassword:text rolvaliduntil:timestamptz rolbypassrls:bool
      rolconfig:text[] oid:oid`,
    ({ session, userOid }) => [{ rolname: session.caller.name, oid: userOid, rolpassword: '********' }],
    { ...ATTRIBUTES, ...MORE },
  ),
  pg_authid: relation(
    `oid:oid rolname:name rolsuper:bool rolinherit:bool rolcreaterole:bool rolcreatedb:bool rolcanlogin:bool
      rolreplication:bool rolbypassrls:bool rolconnlimit:int4 rolpassword:text rolvaliduntil:timestamptz`,
    ({ session, userOid }) => [{ rolname: session.caller.name, oid: userOid }],
    { ...ATTRIBUTES, ...MORE },
  ),
  pg_user: relation(
    `usename:name usesysid:oid usecreatedb:bool usesuper:bool userepl:bool usebypassrls:bool passwd:text
      valuntil:timestamptz useconfig:text[]`,
    ({ session, userOid }) => [{ usename: session.caller.name, usesysid: userOid, passwd: '********' }],
    { usecreatedb: false, usesuper: false, userepl: false, usebypassrls: false },
  ),
  pg_shadow: relation(
    `usename:name usesysid:oid usecreatedb:bool usesuper:bool userepl:bool usebypassrls:bool passwd:text
      valuntil:timestamptz useconfig:text[]`,
  ),
  pg_group: relation('groname:name grosysid:oid grolist:oid[]'),
  pg_auth_members: relation(
    'oid:oid roleid:oid member:oid grantor:oid admin_option:bool inherit_option:bool set_option:bool',
  ),
  pg_db_role_setting: relation('setdatabase:oid setrole:oid setconfig:text[]'),
};
