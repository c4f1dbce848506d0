// Jest's test environment for NativeRuntime: the globals of the process itself.
export default class NativeEnvironment {
  global = globalThis;
  // Jest replaces both for a test file.
  #console = globalThis.console;
  #exit = process.exit;

  async setup() {}

  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }

  exportConditions() {
    return [];
  }

  getVmContext() {
    return null;
  }
}
