/** A server that could not be reached, broke off or did not answer in time; `cause` says what happened. */
export class Outage extends Error {
  /** @param isLate there was time for no answer, which may be the affair of one slow operation */
  constructor(
    cause: unknown,
    readonly isLate = false,
  ) {
    super('the server is not answering', { cause });
    this.name = 'Outage';
  }
}
