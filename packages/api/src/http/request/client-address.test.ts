import express from 'express';
import request from 'supertest';
import { clientAddress, networkOf } from './client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::a:b:c:d:e', '0:0:0:a::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('behind proxies', () => {
  const reported = async (trusted: string[], forwarded?: string) => {
    const app = express().set('trust proxy', trusted);
    app.get('/', (req, res) => void res.send(clientAddress(req)));
    const sent = request(app).get('/');
    return (await (forwarded === undefined ? sent : sent.set('X-Forwarded-For', forwarded))).text;
  };

  test('only trusted proxies may name a client, and the nearest untrusted address is the client', async () => {
    expect(await reported([], '203.0.113.9')).toBe('127.0.0.1');
    expect(await reported(['127.0.0.0/8'])).toBe('127.0.0.1');
    expect(await reported(['127.0.0.0/8'], '203.0.113.9')).toBe('203.0.113.9');
    expect(await reported(['127.0.0.0/8'], '10.1.1.1, 203.0.113.9')).toBe('203.0.113.9');
    expect(await reported(['127.0.0.0/8', '10.0.0.0/8'], '6.6.6.6, 203.0.113.9, 10.1.1.1')).toBe('203.0.113.9');
    expect(await reported(['127.0.0.0/8'], '::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(await reported(['127.0.0.0/8'], 'unknown')).toBe('127.0.0.1');
  });
});
