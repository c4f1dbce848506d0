// Values of the chart that are tried, and values that its schema must reject.
const storage = { location: 's3://lake/svc' };
const ingressController = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } };
const prometheus = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };

const everything = {
  storage: {
    location: 's3://lake/svc',
    s3: {
      endpoint: 'https://store:7070',
      region: 'eu-1',
      pathStyle: true,
      sts: { role: 'arn:aws:iam::123456789012:role/svc-tables', endpoint: 'https://sts:7071', minutes: 30 },
    },
  },
  image: { pullSecrets: [{ name: 'registry' }] },
  trino: { url: 'https://trino:8443', passwordInSecret: true },
  settings: { SVC_QUERY__MEMORY_LIMIT: '4GB' },
  strategy: 'RollingUpdate',
  sql: { tlsSecret: 'svc-sql', service: { type: 'LoadBalancer', annotations: { internal: 'true' } } },
  ingress: { enabled: true, className: 'nginx', host: 'svc.example.com', tlsSecret: 'svc-tls' },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/svc' } },
  podDisruptionBudget: { maxUnavailable: '50%' },
  topologySpread: [{ topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 2 }],
  networkPolicy: {
    enabled: true,
    clients: [ingressController],
    sqlClients: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    monitoring: [prometheus],
    database: { to: [{ podSelector: { matchLabels: { app: 'postgres' } } }], ports: [5432, 6432] },
    extraEgress: [{ to: [{ podSelector: { matchLabels: { app: 'trino' } } }], ports: [{ port: 8443 }] }],
  },
  nodeSelector: { pool: 'svc' },
  tolerations: [{ key: 'svc', operator: 'Exists' }],
};

export const VARIANTS = {
  defaults: { storage },
  google: { storage: { location: 'gs://lake/svc', google: { keyInSecret: true, tokens: true } } },
  azure: {
    storage: {
      location: 'abfss://lake@acme.dfs.core.windows.net/svc',
      azure: { keyInSecret: true, sasMinutes: 30 },
    },
  },
  off: { storage, podDisruptionBudget: { enabled: false }, topologySpread: [], worker: { metricsPort: 0 } },
  hpa: {
    ...everything,
    worker: { isolation: true, autoscaling: { by: 'hpa', hpa: { matchLabels: { release: 'svc' } } } },
  },
  keda: {
    ...everything,
    networkPolicy: { enabled: true, clients: [ingressController], web: { ports: [] } },
    worker: {
      autoscaling: { by: 'keda', keda: { prometheusUrl: 'http://prometheus:9090', authentication: 'prometheus' } },
    },
  },
};

export const REJECTED = {
  'no storage': {},
  'KEDA without Prometheus': { storage, worker: { autoscaling: { by: 'keda' } } },
  'no worker': { storage, worker: { autoscaling: { by: 'hpa', minReplicas: 0 } } },
  'autoscaling without metrics': { storage, worker: { metricsPort: 0, autoscaling: { by: 'hpa' } } },
  'servers that nobody can reach': { storage, networkPolicy: { enabled: true } },
  'a peer without a selector': { storage, networkPolicy: { enabled: true, clients: [{ host: 'ingress' }] } },
  'a disruption budget of nothing': { storage, podDisruptionBudget: { maxUnavailable: 0 } },
  'another key': { storage, autoscaling: {} },
};
