import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { readConsole } from '../../console/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { problemHandler } from '../response/problem-response.ts';
import { consoleRoutes } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-console-'));
const script = 'console.log("svc")';
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>svc</title>');
writeFileSync(join(folder, 'secret.js'), 'outside of assets');
writeFileSync(join(folder, 'assets/index-1.js'), script);
writeFileSync(join(folder, 'assets/index-1.js.gz'), gzipSync(script));
afterAll(() => rmSync(folder, { recursive: true }));

const app = express()
  .use(consoleRoutes(readConsole(folder)))
  .use(problemHandler(pino({ level: 'silent' })));

describe('the console (SERVICE-9)', () => {
  test.each(['/console', '/console/', '/console/dev/catalog/sales/orders?tab=preview', '/console/%3Cb%3E'])(
    'sends its page for %s, without caching and under a strict policy',
    async (path) => {
      const { status, headers, text } = await request(app).get(path);
      expect([status, text]).toEqual([200, '<!doctype html><title>svc</title>']);
      expect(headers['cache-control']).toBe('no-cache');
      const policy = headers['content-security-policy']!.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      );
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy.join()).not.toMatch(/unsafe|https?:|data:|\*/);
    },
  );

  test('sends files compressed if the client accepts it, and cached for good', async () => {
    const compressed = await request(app).get('/console/assets/index-1.js').set('Accept-Encoding', 'br, gzip');
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(compressed.text).toBe(script);
    const plain = await request(app).get('/console/assets/index-1.js').set('Accept-Encoding', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.text).toBe(script);
  });

  test.each(['index-2.js', '..%2Fsecret.js', '%2e%2e%2fsecret.js', 'index-1.js.gz'])(
    'has no other file: %s',
    async (name) => {
      const { status, body } = await request(app).get(`/console/assets/${name}`);
      expect([status, body.code]).toEqual([404, 'no-such-route']);
    },
  );

  test('is not there if it is turned off', async () => {
    const server = await startTestServer({ env: { SVC_CONSOLE__ENABLED: 'false' } });
    const call = (path: string) => server.call('GET', path, { token: null });
    expect((await call('/console')).status).toBe(404);
    expect((await call('/')).text).not.toContain('/console');
    await server.stop();
  });
});
