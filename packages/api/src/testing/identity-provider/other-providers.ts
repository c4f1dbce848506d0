import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@svc/lake/storage/testing';
import { CLIENT } from './client.ts';

/** A person who signs in with the password `password`. */
export interface ProviderPerson {
  readonly name: string;
  readonly groups: readonly string[];
}

/** A provider that organizations run, as a process of its own. */
export interface OtherProvider {
  readonly issuer: string;
  /** The fields of its forms in which a person signs in. */
  readonly form: (name: string) => Record<string, string>;
  /** What svc has to know about the provider besides issuer and client. */
  readonly settings: Record<string, unknown>;
  /** Replaces the groups of a person. */
  readonly setGroups: (name: string, groups: readonly string[]) => Promise<void>;
  /** Replaces the key that signs tokens. */
  readonly rotateKey: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Options {
  readonly redirectUri: string;
  readonly people: readonly ProviderPerson[];
}

/** The hash of `password`. */
const HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

/** @param program path of `dex`. It keeps everything in memory, so a change restarts it, which also replaces its key. */
export async function startDex(program: string, { redirectUri, people }: Options): Promise<OtherProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-dex-'));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const groupsOf = new Map(people.map(({ name, groups }) => [name, groups]));
  const start = async () => {
    const config = {
      issuer,
      storage: { type: 'memory' },
      web: { http: `127.0.0.1:${port}` },
      oauth2: { skipApprovalScreen: true },
      staticClients: [
        {
          id: CLIENT.client_id,
          secret: CLIENT.client_secret,
          name: 'svc',
          redirectURIs: [redirectUri, '/device/callback'],
        },
      ],
      enablePasswordDB: true,
      staticPasswords: [...groupsOf].map(([name, groups]) => ({
        email: `${name}@example.com`,
        hash: HASH,
        username: name,
        preferredUsername: name,
        userID: `id-of-${name}`,
        groups,
      })),
    };
    const file = join(folder, 'config.json');
    await writeFile(file, JSON.stringify(config));
    return startProcess(spawn(program, ['serve', file], { stdio: ['ignore', 'ignore', 'ignore'] }), issuer);
  };
  let running = await start();
  const restart = async () => {
    await running.stop();
    running = await start();
  };
  return {
    issuer,
    form: (name) => ({ login: `${name}@example.com`, password: 'password' }),
    settings: { scopes: ['openid', 'profile', 'email', 'groups'], groups_claim: 'groups' },
    async setGroups(name, groups) {
      groupsOf.set(name, groups);
      await restart();
    },
    rotateKey: restart,
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param home folder of Keycloak, built for a database in memory */
export async function startKeycloak(home: string, { redirectUri, people }: Options): Promise<OtherProvider> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['start', '--optimized', '--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`];
  const child = spawn('bash', [join(home, 'bin/kc.sh'), ...args, `--hostname=${url}`], {
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' },
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
  const running = await startProcess(child, `${url}/realms/master`);
  const admin = async (method: string, path: string, body?: unknown) => {
    // Its tokens are valid for a minute.
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
    const issued = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token } = (await issued.json()) as { access_token: string };
    const response = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak: ${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const groups = [...new Set(people.flatMap((person) => person.groups))];
  await admin('POST', '', {
    realm: 'corp',
    enabled: true,
    groups: groups.map((name) => ({ name })),
    users: people.map((person) => ({
      username: person.name,
      email: `${person.name}@example.com`,
      emailVerified: true,
      firstName: person.name,
      lastName: 'Doe',
      enabled: true,
      groups: person.groups.map((name) => `/${name}`),
      credentials: [{ type: 'password', value: 'password' }],
    })),
    clients: [
      {
        clientId: CLIENT.client_id,
        secret: CLIENT.client_secret,
        redirectUris: [redirectUri],
        attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
        protocolMappers: [
          {
            name: 'groups',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-group-membership-mapper',
            config: {
              'claim.name': 'groups',
              'full.path': 'false',
              'id.token.claim': 'true',
              'userinfo.token.claim': 'true',
            },
          },
        ],
      },
    ],
  });
  const idOf = async (kind: 'users' | 'groups', name: string): Promise<string> => {
    const query = kind === 'users' ? { username: name, exact: 'true' } : { search: name, exact: 'true' };
    return (await admin('GET', `/corp/${kind}?${new URLSearchParams(query)}`))[0].id;
  };
  return {
    issuer: `${url}/realms/corp`,
    form: (name) => ({ username: name, password: 'password' }),
    settings: { groups_claim: 'groups' },
    async setGroups(name, wanted) {
      const user = await idOf('users', name);
      for (const group of groups) {
        const method = wanted.includes(group) ? 'PUT' : 'DELETE';
        await admin(method, `/corp/users/${user}/groups/${await idOf('groups', group)}`);
      }
    },
    async rotateKey() {
      const [realm] = await admin('GET', '');
      const keys = await admin('GET', '/corp/components?type=org.keycloak.keys.KeyProvider');
      const { id, ...old } = keys.find((key: { providerId: string }) => key.providerId === 'rsa-generated');
      await admin('POST', '/corp/components', {
        ...old,
        parentId: realm.id,
        name: 'next',
        config: { priority: ['200'] },
      });
      await admin('DELETE', `/corp/components/${id}`);
    },
    stop: running.stop,
  };
}

/** Waits until a provider serves its configuration. @throws if its process exits */
async function startProcess(child: ChildProcess, issuer: string): Promise<{ stop: () => Promise<void> }> {
  const exited = once(child, 'exit');
  const isReady = () =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} exited with ${child.exitCode}`);
    await delay(200);
  }
  return {
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
