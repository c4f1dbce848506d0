/**
 * The hosts of the public index: itself, its `www` form, its old name, its file host, that host's bare domain, its
 * upload host. None may be registered, and none ever receives a credential (specification 2.5, URL rule 6).
 */
export const PUBLIC_HOSTS: readonly string[] = [
  'pypi.org',
  'www.pypi.org',
  'pypi.python.org',
  'files.pythonhosted.org',
  'pythonhosted.org',
  'upload.pypi.org',
];

/** The registry URL a lock may name without registration. */
export const PUBLIC_REGISTRY = 'https://pypi.org/simple';

/** Where the public index's files lie. */
export const PUBLIC_FILE_HOST = 'files.pythonhosted.org';

/** The public test index and the host of its files: registered without a credential only (URL rule 7). */
export const TEST_HOST = 'test.pypi.org';
export const TEST_FILE_HOST = 'test-files.pythonhosted.org';
export const TEST_HOSTS: readonly string[] = [TEST_HOST, TEST_FILE_HOST];
