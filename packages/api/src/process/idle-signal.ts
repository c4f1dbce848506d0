/** Lets a shutdown wait until nothing is active. */
export class IdleSignal {
  private resolve: (() => void) | undefined;

  /** Call this when nothing is active anymore. */
  send(): void {
    this.resolve?.();
  }

  /** Resolves after `send`, or after `ms`. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.resolve = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
