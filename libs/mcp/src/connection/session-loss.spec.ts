import { ProtocolError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { BodyWords } from '../errors/error-kinds.js';
import { mayRepeat, pingOutcome, sessionVerdict } from './session-loss.js';

const CODE = -32_001;
/** An error as the answer to a request, over HTTP in a response with a status. */
const answer = (message: string, status?: number, code = CODE): Error => {
  if (status === undefined) return new ProtocolError(code, message);
  const error = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', { status } as never);
  error.cause = new BodyWords(message, code);
  return error;
};

/** What servers say of a session that they do not know. */
const UNKNOWN = [
  'Session not found',
  'session not found.',
  'Not Found: Session not found',
  'MCP session not found',
  'Session ID not found: 0b5d2c1e-77',
  'Unknown session',
  'The session is unknown',
];
/** What may be said after the call has had its effect. */
const OTHERWISE = [
  'Browser session closed after the form was submitted',
  'Payment sent, but the session was not found afterwards',
  'Session not found while reading the receipt',
  'Browser session not found after the click',
  'The session has expired',
  'Session closed',
  'Payment sent: session not found',
  'Request timed out',
  'Session timed out',
  'no answer',
  '',
];

describe('an answer with the code of an unknown session', () => {
  it.each(UNKNOWN)('says so of a session of HTTP, and may be repeated: %s', (words) => {
    for (const status of [undefined, 400, 404, 422]) {
      expect(sessionVerdict(answer(words, status), true)).toBe('unknown');
      expect(mayRepeat(answer(words, status))).toBe(true);
    }
    expect(mayRepeat(answer(words, 500))).toBe(false);
  });

  it.each(OTHERWISE)('is in doubt in a session of HTTP, and is never repeated: %s', (words) => {
    expect(sessionVerdict(answer(words), true)).toBe('doubtful');
    expect(mayRepeat(answer(words))).toBe(false);
    expect(pingOutcome(answer(words))).toBe('silent');
  });

  it.each([...UNKNOWN, ...OTHERWISE])('never decides alone where there is no session: %s', (words) => {
    expect(sessionVerdict(answer(words), false)).not.toBe('unknown');
  });

  it('has no session to lose where there is none, with other words', () => {
    for (const words of ['Request timed out', 'no answer', '']) {
      expect(sessionVerdict(answer(words), false)).toBe('fine');
    }
  });

  it('may be repeated with the word unknown alone, once a ping has failed too', () => {
    expect(sessionVerdict(answer('Unknown'), true)).toBe('doubtful');
    expect(pingOutcome(answer('Unknown'))).toBe('denied');
    expect(mayRepeat(answer('Unknown'))).toBe(true);
  });
});

describe('an answer with the status 400', () => {
  const said = (words: string, code?: number) => {
    const error = answer(words, 400);
    error.cause = new BodyWords(words, code);
    return error;
  };

  it.each([
    ...UNKNOWN,
    '',
    'Bad Request',
    'Bad Request: No valid session ID provided',
    'Bad Request: Missing session ID',
    'Bad Request: Server not initialized',
    'Invalid or missing session ID',
    'Invalid session ID',
    'Missing Mcp-Session-Id header',
  ])('may be repeated where it says no more than that there is no session: %j', (words) => {
    expect(mayRepeat(said(words))).toBe(true);
    expect(mayRepeat(said(words, -32_000))).toBe(words !== '');
    expect(pingOutcome(said(words))).toBe('denied');
    // Only a ping shows whether the answer is one of the tool.
    expect(sessionVerdict(said(words), true)).toBe('doubtful');
  });

  it.each([
    ...OTHERWISE.filter((words) => words !== ''),
    'Session closed after the form was submitted',
    'Bad Request: the amount must be positive',
    'Bad Request: Invalid session ID of the payment, which was sent',
    'Invalid JSON',
  ])('is never repeated with other words: %s', (words) => {
    for (const code of [undefined, -32_000, CODE]) expect(mayRepeat(said(words, code))).toBe(false);
    expect(pingOutcome(said(words))).toBe('silent');
  });
});
