import { acceptedTypes } from './accepted-types.js';

const BOTH = 'application/json, text/event-stream';

it.each([
  undefined,
  '',
  ' ',
  '*/*',
  'text/html, */*;q=0.1',
  'application/*, text/*',
  'text/event-stream, application/json;q=1',
])('a client that sends %j accepts both types', (accept) => expect(acceptedTypes(accept)).toBe(BOTH));

it.each(['application/json', 'text/event-stream', 'text/html', '*/*;q=0', 'application/json, text/event-stream;q=0.0'])(
  'a client that sends %j does not',
  (accept) => expect(acceptedTypes(accept)).toBe(accept),
);
