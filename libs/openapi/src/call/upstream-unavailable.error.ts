/** The server could not be reached, broke off or did not answer in time; `cause` has the details. */
export class UpstreamUnavailableError extends Error {
  /** @param isLate the deadline passed without an answer, which may concern only one slow operation */
  constructor(
    cause: unknown,
    readonly isLate = false,
  ) {
    super('the server is not answering', { cause });
    this.name = 'Outage';
  }
}
