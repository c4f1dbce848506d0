import * as z from 'zod';
import { MAX_LEASE_SECONDS } from '../../workers/lease.ts';
import { fileHosts, hostAndPort, sparkConnect, taskNetwork, url } from '../parsers/addresses.ts';
import { countOrNone, folders, list, text, whole } from '../parsers/basic.ts';
import { bytes, bytesOrNone } from '../parsers/sizes.ts';
import type { Setting } from '../setting.ts';

/** Workers, Python tasks and the packages that they install. */
export const workerSettings = {
  workerConcurrency: {
    name: 'SVC_WORKER__CONCURRENCY',
    read: whole(1, 256, 4),
    meaning: 'Number of queries, writes and tasks that a worker runs at the same time',
    byDefault: '4',
  },
  workerLeaseSeconds: {
    name: 'SVC_WORKER__LEASE_SECONDS',
    read: whole(2, MAX_LEASE_SECONDS, 15),
    meaning: 'Seconds without a heartbeat after which other workers take over the work of a worker',
    byDefault: '15',
  },
  workerMetricsListen: {
    name: 'SVC_WORKER__METRICS_LISTEN',
    read: hostAndPort.optional(),
    meaning: 'Address where the worker program serves its metrics and health, such as 0.0.0.0:9464',
    byDefault: 'none: not served',
  },
  trinoEnvironments: {
    name: 'SVC_RUN__TRINO_ENVIRONMENTS',
    read: list(),
    meaning:
      'Environments whose SQL assets are built on Trino unless their header names another engine, and whose tables it compacts; * for all',
    byDefault: 'none',
  },
  sparkConnect: {
    name: 'SVC_RUN__SPARK_CONNECT',
    read: sparkConnect,
    meaning:
      'Spark Connect server for Python assets with engine="spark", such as sc://spark:15002 or sc://spark:15002/;use_ssl=true;token=…; it reaches the catalog at SVC_PUBLIC_URL',
    byDefault: 'unset: these assets fail',
    // The address may contain a token.
    secret: true,
  },
  uv: { name: 'SVC_RUN__UV', read: text(), meaning: 'Path of the uv program', byDefault: 'on PATH' },
  python: {
    name: 'SVC_RUN__PYTHON',
    read: text(),
    meaning: 'Path of the Python interpreter for tasks',
    byDefault: 'python3 on PATH',
  },
  indexUrl: {
    name: 'SVC_RUN__INDEX_URL',
    read: url('https', 'http'),
    meaning: 'Additional package index that the operator allows',
    byDefault: 'unset',
    // The URL may contain a password.
    secret: true,
  },
  indexFileHosts: {
    name: 'SVC_RUN__INDEX_FILE_HOSTS',
    read: fileHosts,
    meaning: 'Additional hosts that lock files may download packages from, with or without a port, separated by commas',
    byDefault: 'none',
  },
  packageDownloadLimit: {
    name: 'SVC_RUN__PACKAGE_DOWNLOAD_LIMIT',
    read: bytes('5GB'),
    meaning: 'Maximum download size of one Python environment build',
    byDefault: '5GB',
  },
  packageUnpackedLimit: {
    name: 'SVC_RUN__PACKAGE_UNPACKED_LIMIT',
    read: bytesOrNone('10GB'),
    meaning: 'Maximum disk space that one Python environment build uses; none: no limit',
    byDefault: '10GB',
  },
  packageFileLimit: {
    name: 'SVC_RUN__PACKAGE_FILE_LIMIT',
    read: countOrNone(100_000_000, 500_000),
    meaning: 'Maximum number of files and folders that one Python environment build creates; 0: no limit',
    byDefault: '500000',
  },
  pythonEnvironmentsKeepDays: {
    name: 'SVC_RUN__PYTHON_ENVIRONMENTS_KEEP_DAYS',
    read: whole(8, 3650, 30),
    meaning: 'Days after which a worker removes an unused Python environment',
    byDefault: '30',
  },
  pythonEnvironmentsLimit: {
    name: 'SVC_RUN__PYTHON_ENVIRONMENTS_LIMIT',
    read: bytes('20GB'),
    meaning:
      'Maximum disk space for the Python environments of a worker; beyond it, the least recently used ones are removed',
    byDefault: '20GB',
  },
  isolation: {
    name: 'SVC_RUN__ISOLATION',
    read: z
      .enum(['required', 'bubblewrap', 'landlock', 'auto', 'none'], {
        error: 'must be required, bubblewrap, landlock, auto or none',
      })
      .default(process.platform === 'linux' ? 'required' : 'auto'),
    meaning:
      'How Python tasks are isolated: required (with bubblewrap, or Landlock if bubblewrap does not work; tasks fail if neither works), bubblewrap or landlock (with that one; tasks fail if it does not work), auto (with bubblewrap if it works, otherwise not at all) or none (never)',
    byDefault: 'required on Linux, otherwise auto',
  },
  isolationReadable: {
    name: 'SVC_RUN__ISOLATION_READABLE',
    read: folders,
    meaning: 'Additional folders that sandboxed Python tasks can read, separated by commas',
    byDefault: 'none',
  },
  taskNetwork: {
    name: 'SVC_RUN__NETWORK',
    read: taskNetwork,
    meaning:
      'What isolated Python tasks can connect to besides the service: none; hosts that projects may name in svc.yaml, with or without a port, as *.domain, or * for every public host, separated by commas (also IP addresses and CIDRs of your own network that these hosts may resolve to); or unrestricted, for the network of the worker',
    byDefault: 'none',
  },
  taskTimeoutSeconds: {
    name: 'SVC_RUN__TASK_TIMEOUT_SECONDS',
    read: whole(1, 604_800, 3600),
    meaning: 'Maximum duration of a task in seconds, unless the project sets one',
    byDefault: '3600',
  },
  taskMemory: {
    name: 'SVC_RUN__TASK_MEMORY',
    read: bytesOrNone('4GB'),
    meaning: 'Maximum memory of one Python task with all its processes; none: no limit',
    byDefault: '4GB',
  },
  taskProcesses: {
    name: 'SVC_RUN__TASK_PROCESSES',
    read: countOrNone(1_000_000, 1000),
    meaning: 'Maximum number of processes and threads of one Python task; 0: no limit',
    byDefault: '1000',
  },
  taskOpenFiles: {
    name: 'SVC_RUN__TASK_OPEN_FILES',
    read: countOrNone(1_000_000, 4096),
    meaning: "Maximum number of open files and connections of each process of a Python task; 0: the worker's own limit",
    byDefault: '4096',
  },
  taskDisk: {
    name: 'SVC_RUN__TASK_DISK',
    read: bytesOrNone('20GB'),
    meaning:
      'Maximum disk space of one Python task for temporary files, other files it writes and its result; none: no limit',
    byDefault: '20GB',
  },
  sweepInterval: {
    name: 'SVC_RUN__SWEEP_INTERVAL',
    read: whole(0, 604_800, 3600),
    meaning: 'Seconds between sweeps; 0 turns sweeps off',
    byDefault: '3600',
  },
  runLogsArchiveAfterDays: {
    name: 'SVC_RUN__ARCHIVE_LOGS_AFTER_DAYS',
    read: countOrNone(3650, 0),
    meaning:
      'Days after the end of a run until its log moves from the database to the storage of the instance; 0 keeps all in the database',
    byDefault: '0',
  },
} as const satisfies Record<string, Setting>;
