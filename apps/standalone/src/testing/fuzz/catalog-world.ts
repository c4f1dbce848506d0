import { type TestService, TOKEN } from '../test-service.ts';

/** A table as an engine has loaded it. */
export interface SeenTable {
  namespace: string;
  name: string;
  metadataLocation: string;
  metadata: {
    'table-uuid': string;
    location: string;
    'last-column-id': number;
    'current-schema-id': number;
    'last-sequence-number': number;
    snapshots?: { 'snapshot-id': number; 'manifest-list': string }[];
    [field: string]: unknown;
  };
}

export interface SeenView {
  namespace: string;
  name: string;
  uuid: string;
  metadataLocation: string;
}

/** The catalog's contents, as far as requests may name them. */
export interface Seen {
  tables: readonly SeenTable[];
  views: readonly SeenView[];
  /** The location and metadata of a table in another environment. */
  foreign: readonly string[];
  /** Metadata files of tables that may be dropped by now. */
  past: readonly string[];
}

export class CatalogWorld implements Seen {
  tables: SeenTable[] = [];
  views: SeenView[] = [];
  foreign: string[] = [];
  past: string[] = [];
  /** Metadata files that the service's own routes have shown. */
  private readonly verified = new Set<string>();
  private readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  /** Loads every table and view of the environment. @throws if one that is listed can't be loaded */
  async refresh(env: string): Promise<void> {
    await this.makeForeign();
    const names = await this.names(env);
    const loaded = await Promise.all(names.map((path) => this.load(env, path)));
    this.past = [...this.past, ...this.tables.map(({ metadataLocation }) => metadataLocation)].slice(-100);
    this.tables = loaded.flatMap(({ tables }) => tables);
    this.views = loaded.flatMap(({ views }) => views);
  }

  private async names(env: string): Promise<string[]> {
    const { body } = await this.service.call('GET', `/environments/${env}/namespaces?limit=200`);
    return (body as { path: string }[]).map(({ path }) => path);
  }

  private async load(env: string, namespace: string): Promise<{ tables: SeenTable[]; views: SeenView[] }> {
    const base = `/v1/${env}/namespaces/${namespace}`;
    const tables: SeenTable[] = [];
    for (const name of await this.listed(`${base}/tables`)) {
      const { metadata, 'metadata-location': metadataLocation } = await this.must(`${base}/tables/${name}`);
      tables.push({ namespace, name, metadataLocation, metadata } as SeenTable);
      if (this.verified.has(String(metadataLocation))) continue;
      await this.readable(`/environments/${env}/namespaces/${namespace}/tables/${name}`);
      this.verified.add(String(metadataLocation));
    }
    const views: SeenView[] = [];
    for (const name of await this.listed(`${base}/views`)) {
      const { metadata, 'metadata-location': metadataLocation } = await this.must(`${base}/views/${name}`);
      const uuid = (metadata as { 'view-uuid': string })['view-uuid'];
      views.push({ namespace, name, uuid, metadataLocation: String(metadataLocation) });
    }
    return { tables, views };
  }

  private async listed(path: string): Promise<string[]> {
    const { identifiers } = await this.must(path);
    return (identifiers as { name: string }[]).map(({ name }) => name);
  }

  private async must(path: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.service.url}/catalog${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`GET /catalog${path} of what is listed: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** The service's own routes show it too. */
  private async readable(path: string): Promise<void> {
    for (const what of ['', '/snapshots', '/health']) {
      const { status, body } = await this.service.call('GET', path + what);
      if (status >= 500) throw new Error(`GET ${path}${what}: ${status} ${JSON.stringify(body)}`);
    }
  }

  private async makeForeign(): Promise<void> {
    if (this.foreign.length > 0) return;
    const { call } = this.service;
    await call('POST', '/environments', { body: { name: 'theirs' } });
    await call('POST', '/environments/theirs/namespaces', { body: { path: 'raw' } });
    const columns = [{ name: 'id', type: 'int' }];
    await call('POST', '/environments/theirs/namespaces/raw/tables', { body: { name: 'secret', columns } });
    const loaded = await this.must('/v1/theirs/namespaces/raw/tables/secret');
    const { location } = loaded['metadata'] as { location: string };
    this.foreign = [location, String(loaded['metadata-location'])];
  }
}
