/**
 * The hosts of the public index: the index, its `www` form, its old name, its file host, that host's bare domain, its
 * upload host. None can be registered or receives a credential (INDEX-6).
 */
export const PUBLIC_HOSTS: readonly string[] = [
  'pypi.org',
  'www.pypi.org',
  'pypi.python.org',
  'files.pythonhosted.org',
  'pythonhosted.org',
  'upload.pypi.org',
];

/** The registry URL that a lock may name without registration (LOCK-2). */
export const PUBLIC_REGISTRY = 'https://pypi.org/simple';

/** The host of the public index's files (LOCK-5). */
export const PUBLIC_FILE_HOST = 'files.pythonhosted.org';

/** The public test index and its file host. It can be registered without a credential only (INDEX-7). */
export const TEST_HOST = 'test.pypi.org';
export const TEST_FILE_HOST = 'test-files.pythonhosted.org';
export const TEST_HOSTS: readonly string[] = [TEST_HOST, TEST_FILE_HOST];
