import type { Page } from 'playwright-core';
import { PASSWORD } from '../../testing/console-data.ts';
import { describeConsole } from '../../testing/console-tests.ts';
import { deployFiles } from '../../testing/projects.ts';

/** More steps than any page of these tests has. */
const MAX_STEPS = 120;

interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
}

/** The accessible name of the focused element, and whether it shows the focus inside the window. */
const FOCUSED = `(() => {
  const host = document.activeElement;
  // The editor has a shadow root.
  const element = host.shadowRoot?.activeElement ?? host;
  // Between the last element and the first, the focus is in the browser's own controls.
  if (element === document.body) return { name: 'the browser', isVisible: true };
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  const shows = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
  const hasMark = shows(getComputedStyle(element)) || shows(getComputedStyle(element, '::after')) ||
    host.closest('.editor-card') !== null;
  const { top, left, bottom, right } = element.getBoundingClientRect();
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return { name: label.trim().replace(/\\s+/g, ' ') || element.outerHTML.slice(0, 80), isVisible: hasMark && isInside };
})()`;

/** What a person does with a keyboard only. */
class Keyboard {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  type = (text: string) => this.page.keyboard.type(text);

  /** Goes forward to the element with this name; each on the way must show that it has the focus. */
  async tabTo(name: string | RegExp): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < MAX_STEPS; step++) {
      await this.press('Tab');
      const focused = await this.page.evaluate<Focused>(FOCUSED);
      if (!focused.isVisible) throw new Error(`"${focused.name}" doesn't show that it has the focus`);
      if (typeof name === 'string' ? focused.name === name : name.test(focused.name)) return;
      passed.push(focused.name);
    }
    throw new Error(`no Tab leads to ${name}; passed: ${[...new Set(passed)].join(' | ')}`);
  }

  /** Goes to the item of an open menu. A menu moves the focus a moment after the key: each move is waited for. */
  async choose(name: string): Promise<void> {
    let item = this.page.locator('[role^=menuitem]:focus');
    for (let step = 0; step < MAX_STEPS; step++) {
      await item.waitFor();
      const focused = await this.page.evaluate<Focused>(FOCUSED);
      if (focused.name === name) {
        expect(focused.isVisible).toBe(true);
        return this.press('Enter');
      }
      item = this.page.locator('[role^=menuitem]:focus', { hasNotText: new RegExp(`^${focused.name}$`) });
      await this.press('ArrowDown');
    }
    throw new Error(`the menu has no item ${name}`);
  }

  async activate(name: string | RegExp): Promise<void> {
    await this.tabTo(name);
    await this.press('Enter');
  }

  /** Opens what the palette finds. */
  async open(text: string, option: RegExp): Promise<void> {
    await this.press('Control+k');
    const palette = this.page.getByRole('dialog', { name: 'Search and commands' });
    await palette.waitFor();
    expect((await this.page.evaluate<Focused>(FOCUSED)).isVisible).toBe(true);
    await this.type(text);
    const wanted = palette.getByRole('option', { name: option }).first();
    await wanted.waitFor();
    const at = await wanted.evaluate((element) => [...element.parentElement!.children].indexOf(element));
    await this.press(...Array<string>(at).fill('ArrowDown'), 'Enter');
    await palette.waitFor({ state: 'detached' });
  }
}

describeConsole(
  'the console with a keyboard only',
  {
    service: async ({ client, folder }) => {
      await client.repositories.create({ name: 'greetings' });
      const files = {
        'svc.yaml': 'jobs:\n  hello:\n    select: ["*"]\n',
        'assets/greetings/hello.sql': 'SELECT 1 AS n',
      };
      await deployFiles(client, { env: 'dev', repository: 'greetings', folder }, files);
    },
  },
  (t) => {
    test('does the main tasks, and shows the focus at each step', async () => {
      const { page } = t.browser;
      const keyboard = new Keyboard(page);
      await page.goto(`${t.s.url}/console/dev`);
      await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();

      // Sign in.
      await keyboard.tabTo('Name');
      await keyboard.type('ann');
      await keyboard.tabTo('Password');
      await keyboard.type(PASSWORD);
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Home' }).waitFor();

      // Switch the environment, and back.
      for (const [from, to] of [
        ['dev', 'prod'],
        ['prod', 'dev'],
      ] as const) {
        await keyboard.activate(`Environment ${from}: switch`);
        await page.getByRole('menuitemradio', { name: to }).waitFor();
        await keyboard.choose(to === 'prod' ? 'prodprotected' : to);
        await page.waitForURL(`${t.s.url}/console/${to}`);
        // The new page takes the focus, which closes a menu that is open.
        await page.locator('#content:focus').waitFor();
      }

      // Find a table, and read its columns and rows.
      await keyboard.open('sales.orders', /^sales\.orders/);
      await page.getByRole('row').filter({ hasText: 'customer' }).first().waitFor();
      await keyboard.activate('Preview');
      await page.getByText('customer 3').first().waitFor();

      // Run a statement, and leave the editor.
      await keyboard.open('sql', /^SQL/);
      await page.getByRole('textbox', { name: 'SQL statement' }).waitFor();
      await keyboard.tabTo('SQL statement');
      await keyboard.type('SELECT 40 + 2 AS answer');
      await keyboard.press('Escape', 'Control+Enter');
      await page.getByRole('table', { name: 'Result' }).getByText('42').waitFor();
      await keyboard.tabTo('History');

      // Start a job, and watch its run.
      await keyboard.open('hello', /^hello.*greetings/);
      await page.getByRole('heading', { name: 'hello' }).waitFor();
      await keyboard.activate('Start');
      await page.getByRole('dialog', { name: 'Start hello' }).waitFor();
      await keyboard.activate('Start');
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
      await page.getByRole('row').filter({ hasText: 'greetings.hello' }).getByText('succeeded').waitFor();

      // Read the log of a run that failed.
      await keyboard.open('runs', /^Runs/);
      await keyboard.activate('List');
      await keyboard.tabTo('Status');
      await keyboard.type('failed');
      await page.waitForURL(/status=failed/);
      await keyboard.activate('All assets');
      await page.waitForURL(`${t.s.url}/console/dev/runs/${t.s.failedRun}`);
      await keyboard.activate('Logs');
      await page
        .getByText(/check row_count failed/)
        .first()
        .waitFor();

      // Restore a dropped table.
      await keyboard.open('sales', /^sales\s*Namespace/);
      await keyboard.activate('Dropped tables');
      await keyboard.activate('Undrop old');
      await page.getByRole('dialog').waitFor();
      await keyboard.activate('Undrop');
      await page.getByText('Restored sales.old.').waitFor();

      // Grant a role, after its effect is shown.
      await keyboard.open('access', /^Access/);
      await keyboard.activate('Grants');
      await keyboard.activate('Grant …');
      await keyboard.tabTo('Principal');
      await keyboard.type('rita');
      await page
        .getByRole('dialog')
        .getByText(/rita gains on/)
        .waitFor();
      await keyboard.activate('Grant');
      await page.getByText('Granted ANALYST to rita.').waitFor();

      // Filter the audit log.
      await keyboard.open('audit', /^Audit/);
      await keyboard.tabTo('Event');
      await keyboard.type('TABLE_UNDROPPED');
      await page.waitForURL(/type=TABLE_UNDROPPED/);
      await page.getByRole('row').filter({ hasText: 'TABLE_UNDROPPED' }).first().waitFor();

      // Sign out.
      await keyboard.activate('Account of ann');
      await keyboard.choose('Sign out');
      await page.getByRole('heading', { name: 'Sign in to svc' }).waitFor();
    }, 180_000);
  },
);
