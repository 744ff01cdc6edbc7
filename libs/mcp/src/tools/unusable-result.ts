/** A result that cannot be accepted, although the server reported success. */
export class UnusableResult extends Error {
  constructor(fault: string) {
    super(`the result ${fault}`);
    this.name = 'UnusableResult';
  }
}
