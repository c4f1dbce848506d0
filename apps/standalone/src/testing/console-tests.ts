import { type Browser, inBrowser, openBrowser, signIn } from './browser.ts';
import { type ConsoleService, PASSWORD, startConsoleService } from './console-data.ts';

/** What each test of the console uses. */
export interface ConsoleTest {
  readonly s: ConsoleService;
  readonly browser: Browser;
  /** Opens a page below `/console`, which leads to the sign-in, and signs in. */
  readonly open: (path: string, name?: string) => Promise<void>;
}

interface Preparations {
  /** Adds what these tests need to the service, which all of them share. */
  readonly service?: (s: ConsoleService) => Promise<unknown>;
  /** Of each browser before it opens a page. */
  readonly browser?: (browser: Browser) => Promise<unknown>;
}

/** Describes tests in a browser: one service, and for each test a browser of its own, which must not do what no page may do. */
export function describeConsole(title: string, prepare: Preparations, tests: (t: ConsoleTest) => void): void {
  let s: ConsoleService | undefined;
  let browser: Browser | undefined;
  inBrowser(title, () => {
    beforeAll(async () => {
      s = await startConsoleService();
    });
    // A hook of its own has a time limit of its own.
    beforeAll(async () => prepare.service?.(s!));
    afterAll(() => s?.stop());
    beforeEach(async () => {
      browser = await openBrowser(s!.url);
      await prepare.browser?.(browser);
    });
    afterEach(async () => {
      await browser!.close();
      expect(browser!.incidents).toEqual([]);
    });
    tests({
      get s() {
        return s!;
      },
      get browser() {
        return browser!;
      },
      open: async (path, name = 'ann') => {
        await browser!.page.goto(`${s!.url}/console${path}`);
        await signIn(browser!.page, name, PASSWORD);
      },
    });
  });
}
