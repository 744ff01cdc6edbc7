const MAX_CAUSES = 8;

/** A request was refused because its destination is neither public nor allowed. */
export class EgressRefused extends Error {
  constructor(host: string) {
    super(`${host} stands for an address that is not public`);
    this.name = 'EgressRefused';
  }
}

/** Whether an {@link EgressRefused} is among the causes of a failed request. */
export function isEgressRefused(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (cause instanceof EgressRefused) return true;
    cause = cause.cause;
  }
  return false;
}
