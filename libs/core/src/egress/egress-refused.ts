const MAX_CAUSES = 8;

/** A place that a source may not be fetched from or call. */
export class EgressRefused extends Error {
  constructor(host: string) {
    super(`${host} stands for an address that is not public`);
    this.name = 'EgressRefused';
  }
}

/** Whether a request failed because it may not go where it was sent. */
export function isEgressRefused(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (cause instanceof EgressRefused) return true;
    cause = cause.cause;
  }
  return false;
}
