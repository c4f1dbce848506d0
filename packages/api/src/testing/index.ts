export { type OpenedStream, openEventStream } from './read-events.ts';
export { type Answer, startTestServer, type TestServer } from './start-test-server.ts';
