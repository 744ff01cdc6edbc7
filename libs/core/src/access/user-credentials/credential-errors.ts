import { isObject } from '../../json/json.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';

/** The user has to connect. @param url where; absent if nobody can */
export function credentialsRequired(source: string, url?: string): ToolSearchError {
  if (url === undefined) {
    return new ToolSearchError('CREDENTIALS_REQUIRED', `${source} is used with a user's own account.`, {
      hint: 'Call it for a user: the context names none.',
    });
  }
  return new ToolSearchError(
    'CREDENTIALS_REQUIRED',
    `${source} needs the user's own account, which is not connected.`,
    {
      hint: `Ask the user to open ${url} and to connect it; then call again.`,
      connectUrl: url,
    },
  );
}

/** The stored credential cannot be decrypted. */
export function unreadable(source: string, url: string): ToolSearchError {
  return new ToolSearchError('CREDENTIALS_UNREADABLE', `The stored account of ${source} cannot be read.`, {
    hint: `An operator adds the earlier key to userCredentials.keys; or the user connects again at ${url}.`,
    connectUrl: url,
  });
}

/**
 * The provider could not be asked. The message of the error is left out, because it may quote a request.
 *
 * @param error its name and code are for operators
 */
export function providerUnavailable(source: string, error?: unknown): ToolSearchError {
  const { name = '', code = '' } = isObject(error) ? error : {};
  const words = [name, code].filter(
    (word): word is string => typeof word === 'string' && /^[A-Za-z_]{1,64}$/.test(word),
  );
  return new ToolSearchError('SOURCE_UNAVAILABLE', `The provider of the accounts of ${source} cannot be used.`, {
    hint: 'Try again later. If it stays, an operator checks the source: its oauth option, and egress.allow for the provider.',
    cause: new Error(words.length > 0 ? words.join(' ') : 'no reason'),
  });
}

/**
 * A request to the provider failed.
 *
 * @param error with the code `CREDENTIALS_REQUIRED` the server has another provider by now: the user connects there
 */
export function providerFailure(source: string, url: string, error: unknown): ToolSearchError {
  const isOfAnother = isToolSearchError(error) && error.code === 'CREDENTIALS_REQUIRED';
  return isOfAnother ? credentialsRequired(source, url) : providerUnavailable(source, error);
}

/** A redirect that belongs to nothing that this user has begun. The same for every reason. */
export function notBegun(): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', 'This connection was not begun by you, was finished, or has expired.', {
    hint: 'Open the address of the connection again.',
  });
}
