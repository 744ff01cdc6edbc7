/** A request that OpenAI would reject, with OpenAI's error message. */
export class OpenAiWireError extends Error {
  constructor(
    message: string,
    readonly param: string | null = null,
    readonly code: string | null = null,
    readonly status = 400,
  ) {
    super(message);
  }

  /** Body of the error response. */
  get body(): object {
    const { message, param, code } = this;
    return { error: { message, type: 'invalid_request_error', param, code } };
  }
}

/** Checks that a value is an object with known keys only. @throws OpenAiWireError */
export function checkedKeys(value: unknown, known: readonly string[], at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OpenAiWireError(`Invalid type for '${at}': expected an object.`, at, 'invalid_type');
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const param = at === '' ? unknown : `${at}.${unknown}`;
    throw new OpenAiWireError(`Unknown parameter: '${param}'.`, param, 'unknown_parameter');
  }
  return value as Record<string, unknown>;
}

/** @throws OpenAiWireError */
export function checkedText(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw new OpenAiWireError(
    `Invalid type for '${at}': expected a string, but got ${value === null ? 'null' : `a ${typeof value}`} instead.`,
    at,
    'invalid_type',
  );
}

/** @throws OpenAiWireError */
export function checkedList(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new OpenAiWireError(`Invalid type for '${at}': expected an array.`, at, 'invalid_type');
}
