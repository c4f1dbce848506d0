import { Audit } from './audit.ts';
import { Deploys } from './deploys.ts';
import { Events } from './events.ts';
import { Access } from './generated/access.ts';
import { AccessRequests } from './generated/access-requests.ts';
import { ColumnMasks } from './generated/column-masks.ts';
import { Deployments } from './generated/deployments.ts';
import { Environments } from './generated/environments.ts';
import { Groups } from './generated/groups.ts';
import { IdentityProviders } from './generated/identity-providers.ts';
import { Lineage } from './generated/lineage.ts';
import { Maintenances } from './generated/maintenance.ts';
import { Namespaces } from './generated/namespaces.ts';
import { Principals } from './generated/principals.ts';
import { ProjectVersions } from './generated/project-versions.ts';
import { QueryTabs } from './generated/query-tabs.ts';
import { Repositories } from './generated/repositories.ts';
import { RowFilters } from './generated/row-filters.ts';
import { SavedQueries } from './generated/saved-queries.ts';
import { Search } from './generated/search.ts';
import { SecondFactors } from './generated/second-factors.ts';
import { Secrets } from './generated/secrets.ts';
import { SqlEndpoint } from './generated/sql-endpoint.ts';
import { Tokens } from './generated/tokens.ts';
import { WorkloadIdentities } from './generated/workload-identities.ts';
import { Grants } from './grants.ts';
import { Jobs } from './jobs.ts';
import { PackageIndexes } from './package-indexes.ts';
import type { PathAnswer, PathRequest } from './path-request.ts';
import { Queries } from './queries.ts';
import type { Page, Requester, RequestOptions } from './request.ts';
import type { AnswerOf, ItemOf, RouteName } from './routes.ts';
import { Runs } from './runs.ts';
import { Service } from './service.ts';
import { Tables } from './tables.ts';
import { Uploads } from './uploads.ts';
import { Writes } from './writes.ts';

/** The resources of a service, and calls of any route. It runs in Node and in browsers. */
export class ServiceClient {
  readonly access: Access;
  readonly principals: Principals;
  readonly groups: Groups;
  readonly grants: Grants;
  readonly accessRequests: AccessRequests;
  readonly tokens: Tokens;
  readonly secondFactors: SecondFactors;
  readonly identityProviders: IdentityProviders;
  readonly workloadIdentities: WorkloadIdentities;
  readonly rowFilters: RowFilters;
  readonly columnMasks: ColumnMasks;
  readonly audit: Audit;
  readonly environments: Environments;
  readonly namespaces: Namespaces;
  readonly tables: Tables;
  readonly search: Search;
  readonly lineage: Lineage;
  readonly writes: Writes;
  readonly uploads: Uploads;
  readonly maintenance: Maintenances;
  readonly queries: Queries;
  readonly savedQueries: SavedQueries;
  readonly queryTabs: QueryTabs;
  readonly sqlEndpoint: SqlEndpoint;
  readonly repositories: Repositories;
  readonly packageIndexes: PackageIndexes;
  readonly secrets: Secrets;
  readonly deploys: Deploys;
  readonly deployments: Deployments;
  readonly projectVersions: ProjectVersions;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly events: Events;
  readonly service: Service;
  readonly #requester: Requester;

  constructor(call: Requester) {
    this.#requester = call;
    this.access = new Access(call);
    this.principals = new Principals(call);
    this.groups = new Groups(call);
    this.grants = new Grants(call);
    this.accessRequests = new AccessRequests(call);
    this.tokens = new Tokens(call);
    this.secondFactors = new SecondFactors(call);
    this.identityProviders = new IdentityProviders(call);
    this.workloadIdentities = new WorkloadIdentities(call);
    this.rowFilters = new RowFilters(call);
    this.columnMasks = new ColumnMasks(call);
    this.audit = new Audit(call);
    this.environments = new Environments(call);
    this.namespaces = new Namespaces(call);
    this.search = new Search(call);
    this.lineage = new Lineage(call);
    this.writes = new Writes(call);
    this.uploads = new Uploads(call);
    this.maintenance = new Maintenances(call);
    this.tables = new Tables(call);
    this.queries = new Queries(call);
    this.savedQueries = new SavedQueries(call);
    this.queryTabs = new QueryTabs(call);
    this.sqlEndpoint = new SqlEndpoint(call);
    this.repositories = new Repositories(call);
    this.packageIndexes = new PackageIndexes(call);
    this.secrets = new Secrets(call);
    this.deploys = new Deploys(call);
    this.deployments = new Deployments(call);
    this.projectVersions = new ProjectVersions(call);
    this.jobs = new Jobs(call);
    this.runs = new Runs(call);
    this.events = new Events(call);
    this.service = new Service(call);
  }

  /** Calls any route by name, such as `tables.list`; the contract types parameters, query, body and response. */
  request<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<AnswerOf<N>> {
    return this.#requester.request(name, options);
  }

  /** Returns one page of any list route. */
  requestPage<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<Page<ItemOf<N>>> {
    return this.#requester.page(name, options);
  }

  /** Streams the response of any route. */
  requestStream<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<AsyncIterable<Uint8Array>> {
    return this.#requester.stream(name, options);
  }

  /** Sends a request to any path of the service, such as one that this version doesn't know, and returns the response as bytes. */
  requestPath(request: PathRequest): Promise<PathAnswer> {
    return this.#requester.path(request);
  }
}
