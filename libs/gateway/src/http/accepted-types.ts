const BOTH = 'application/json, text/event-stream';

/**
 * The value of an `Accept` header for the SDK, which looks for the names of both types: a client that accepts anything
 * accepts both, and so does one that sends no header. Any other value stays as it is.
 */
export function acceptedTypes(accept: string | undefined): string {
  if (accept === undefined || accept.trim() === '') return BOTH;
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    return isRefused ? '' : type.trim();
  });
  const accepts = (type: string, any: string) => ranges.some((range) => [type, any, '*/*'].includes(range));
  return accepts('application/json', 'application/*') && accepts('text/event-stream', 'text/*') ? BOTH : accept;
}
