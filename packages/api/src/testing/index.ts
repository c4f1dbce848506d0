export { type Answer, startTestServer, type TestServer } from './start-test-server.ts';
