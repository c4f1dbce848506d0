// Builds the console into dist. `node build.mjs dev` serves it with reloads, and sends API calls to the service at SVC_URL
// (default: one on this machine).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, createServer } from 'vite';

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url));
const service = { target: process.env.SVC_URL ?? 'http://127.0.0.1:8470' };

const config = {
  configFile: false,
  root: pathOf('src'),
  base: '/console/',
  publicDir: false,
  resolve: { conditions: ['@svc/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: pathOf('dist'),
    emptyOutDir: true,
    target: ['chrome111', 'firefox128', 'safari16.4'],
    // Inlined files would be data URLs, which the page's policy doesn't allow for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Only toArrow() of the client needs it.
      external: ['apache-arrow'],
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': service, '/docs': service } },
  logLevel: 'warn',
};

if (process.argv[2] === 'dev') {
  const server = await createServer({ ...config, logLevel: 'info' });
  await server.listen();
  server.printUrls();
} else {
  await build(config);
  compress(pathOf('dist/assets/'));
}

/** The service sends these files compressed, and compresses nothing itself. */
function compress(folder) {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(folder + name);
    writeFileSync(`${folder}${name}.gz`, gzipSync(content, { level: 9 }));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${folder}${name}.br`, brotliCompressSync(content, { params: quality }));
  }
}
