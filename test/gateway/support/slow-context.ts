/** Lets the application think about who is asking until a test goes on. */
export class SlowContext {
  #release: () => void = () => undefined;
  #held: Promise<void> = Promise.resolve();
  asked = 0;

  /** Holds the requests from now on, and lets those go on that are held. */
  hold(): void {
    this.#release();
    this.asked = 0;
    this.#held = new Promise((resolve) => (this.#release = resolve));
  }

  release(): void {
    this.#release();
  }

  async of<T>(user: T): Promise<T> {
    this.asked++;
    await this.#held;
    return user;
  }
}
