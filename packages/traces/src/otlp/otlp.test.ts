import { type Collector, startCollector } from '../testing/index.ts';
import { openOtlp } from './index.ts';
import { readTraceparent } from './spans.ts';

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.stop());

const open = (more: Partial<Parameters<typeof openOtlp>[0]> = {}) =>
  openOtlp({
    endpoint: collector.url,
    headers: {},
    sampleRatio: 1,
    service: 'svc-test',
    version: '1',
    onState: () => {},
    ...more,
  });

const PARENT = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

test('spans reach the collector under their parents, with attributes, failure and configured headers', async () => {
  const { traces, stop } = open({ headers: { 'x-key': 'abc' } });
  const refusal = Object.assign(new Error('secret text'), { code: 'P2002' });
  const parent = `00-${PARENT.trace}-${PARENT.span}-01`;
  const work = traces.inSpan(
    { name: 'outer', kind: 'server', parent, attributes: { 'http.route': '/x' } },
    async () => {
      await traces.inChildSpan({ name: 'inner' }, async () => {
        throw refusal;
      });
    },
  );
  await expect(work).rejects.toBe(refusal);
  // No span is active here, so no trace starts.
  expect(await traces.inChildSpan({ name: 'alone' }, async () => 7)).toBe(7);
  expect(traces.activeSpan()).toBeNull();
  await stop();
  const [inner, outer] = collector.spans;
  expect(collector.spans).toHaveLength(2);
  expect(outer).toMatchObject({ service: 'svc-test', name: 'outer', kind: 2, traceId: PARENT.trace, failed: true });
  expect(outer).toMatchObject({ parentSpanId: PARENT.span, fields: { 'http.route': '/x', 'error.type': 'P2002' } });
  expect(inner).toMatchObject({ name: 'inner', traceId: PARENT.trace, parentSpanId: outer!.spanId, failed: true });
  expect(collector.headers[0]).toMatchObject({ 'x-key': 'abc' });
  expect(collector.texts.join()).not.toContain('secret text');
});

test('the active trace follows its own work only, and two services in one process do not mix', async () => {
  const [one, other] = [open(), open()];
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      one.traces.inSpan({ name: `work ${i}` }, async ({ traceId }) => {
        await new Promise(setImmediate);
        expect(other.traces.activeSpan()).toBeNull();
        expect(one.traces.activeSpan()?.traceId).toBe(traceId);
        return traceId;
      }),
    ),
  );
  expect(new Set(ids).size).toBe(20);
  await Promise.all([one.stop(), other.stop()]);
});

test('a tick that did nothing is not exported, nor its children; one that did something or failed is', async () => {
  const { traces, stop } = open();
  const below = () => traces.inChildSpan({ name: 'below' }, async () => {});
  const tick = (name: string, counts: Record<string, number>) =>
    traces.inTick(name, async () => {
      await below();
      return counts;
    });
  await tick('idle', { enqueued: 0 });
  await tick('busy', { enqueued: 2, started: 0 });
  await expect(traces.inTick('broken', () => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
  await stop();
  expect(collector.spans.map(({ name }) => name)).toEqual(['below', 'busy', 'broken']);
  expect(collector.spans[1]!.fields).toEqual({ 'svc.done.enqueued': 2 });
  expect(collector.spans[2]).toMatchObject({ failed: true, fields: { 'error.type': 'TypeError' } });
});

test('the configured share of new traces is exported; the decision of a request is followed', async () => {
  const { traces, stop } = open({ sampleRatio: 0 });
  const handed = await traces.inSpan({ name: 'own' }, async (span) => span.traceparent);
  expect(handed).toMatch(/-00$/);
  await traces.inSpan({ name: 'child of an unsampled one', parent: handed }, async () => {});
  await traces.inSpan({ name: 'sampled', parent: `00-${PARENT.trace}-${PARENT.span}-01` }, async () => {});
  await stop();
  expect(collector.spans.map(({ name }) => name)).toEqual(['sampled']);
});

test('a collector that refuses or is unreachable costs no work, little memory and one report per change', async () => {
  const states: boolean[] = [];
  const { traces, stop } = open({ onState: (accepting) => states.push(accepting) });
  collector.answer(400);
  for (let i = 0; i < 20_000; i++) traces.startSpan({ name: 'lost' }).end();
  expect(states.length).toBeLessThanOrEqual(1);
  await stop();
  expect(states).toEqual([false]);
  expect(collector.spans).toEqual([]);
  const away = open({ endpoint: 'http://127.0.0.1:9/v1/traces' });
  await away.traces.inSpan({ name: 'lost too' }, async () => {});
  await away.stop();
});

test.each([
  ['', null],
  ['nonsense', null],
  [`ff-${PARENT.trace}-${PARENT.span}-01`, null],
  [`00-${'0'.repeat(32)}-${PARENT.span}-01`, null],
  [`00-${PARENT.trace}-${'0'.repeat(16)}-01`, null],
  [`00-${PARENT.trace}-${PARENT.span}-01-more`, null],
  [`00-${PARENT.trace.toUpperCase()}-${PARENT.span}-01`, null],
  [`00-${PARENT.trace}-${PARENT.span}-01\r\nX: y`, null],
  [`00-${PARENT.trace}-${PARENT.span}-02`, 0],
  [`00-${PARENT.trace}-${PARENT.span}-ff`, 1],
  [`cc-${PARENT.trace}-${PARENT.span}-01-what.the.future.brings`, 1],
])('traceparent %j is read as W3C Trace Context has it', (text, flags) => {
  const read = readTraceparent(text);
  if (flags === null) expect(read).toBeNull();
  else expect(read).toEqual({ traceId: PARENT.trace, spanId: PARENT.span, traceFlags: flags, isRemote: true });
});
