import { SvcError } from '@svc/sdk';
import { SvcCommand } from '../command.ts';
import { workFailed } from '../exit.ts';

interface Check {
  check: string;
  ok: boolean;
  detail: string;
  remedy: string | null;
}

/** Seconds that two clocks may differ before signed times and schedules look wrong. */
const CLOCK_LIMIT = 60;

export default class Doctor extends SvcCommand<typeof Doctor> {
  static override summary = 'Find out why something does not work: address, service, clock, sign-in, environment';
  static override examples = ['svc doctor', 'svc doctor --env dev'];

  async run(): Promise<void> {
    const checks = await this.#checks();
    if (this.json) await this.list(checks, [], '');
    else for (const check of checks) this.print(`${check.ok ? 'ok    ' : 'FAILED'}  ${check.check}: ${check.detail}`);
    const broken = checks.find(({ ok }) => !ok);
    if (broken) throw workFailed(`${broken.check}: ${broken.detail}`, broken.remedy);
  }

  async #checks(): Promise<Check[]> {
    const { url, token, env } = this.settings;
    const address = `${url.value} (${url.source})`;
    const state = await this.client.service.state({ timeout: 10_000 }).catch((error: unknown) => error as Error);
    if (state instanceof Error) return [failed('service', `${address}: ${state.message}`, 'npm start')];
    const checks = [passed('service', `${address}, version ${String(state.version?.service ?? 'unknown')}`)];
    checks.push(
      state.ready ? passed('ready', 'takes requests') : failed('ready', 'is up and does not take requests yet', null),
    );
    if (state.time !== null) checks.push(this.#clock(state.time));
    if (token.value === undefined) return [...checks, failed('sign-in', 'no token is set', 'svc login')];
    checks.push(await this.#attempt('sign-in', 'svc login', async () => `${(await this.client.access.me()).name}`));
    const name = env.value;
    if (name === undefined || checks.some(({ ok }) => !ok)) return checks;
    const read = async () => `${(await this.client.environments.get(name)).name} (${env.source})`;
    return [...checks, await this.#attempt('environment', 'svc env list', read)];
  }

  #clock(theirs: Date): Check {
    const off = Math.round((this.io.now().getTime() - theirs.getTime()) / 1000);
    const text = `differs from the service's by ${Math.abs(off)} s`;
    return Math.abs(off) <= CLOCK_LIMIT ? passed('clock', text) : failed('clock', text, null);
  }

  async #attempt(check: string, remedy: string, act: () => Promise<string>): Promise<Check> {
    try {
      return passed(check, await act());
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      return failed(check, error.message, error.remedy ?? remedy);
    }
  }
}

const passed = (check: string, detail: string): Check => ({ check, ok: true, detail, remedy: null });
const failed = (check: string, detail: string, remedy: string | null): Check => ({ check, ok: false, detail, remedy });
