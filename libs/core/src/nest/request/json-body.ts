import { BODY_LIMITS, checkJsonText, type JsonLimits } from '../../tool/json-limits.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { statusOf } from './error.filter.js';

export interface JsonBodyOptions extends Partial<JsonLimits> {
  /** The charset of the request. Only UTF-8 is accepted. @default 'utf-8' */
  readonly charset?: string;
}

/**
 * Checks a JSON body before it is parsed, in time linear in its length. Call it from the application's body parser, on
 * Express:
 *
 * ```ts
 * app.use(json({ limit: '512kb', verify: (_request, _response, body, charset) => checkJsonBody(body, { charset }) }));
 * ```
 *
 * @throws ToolSearchError `ARGUMENTS_TOO_LARGE` for more than 40 levels, 1,000 keys in one object or 12,000 values;
 *   `INVALID_REQUEST` for a repeated key or another charset
 */
export function checkJsonBody(body: Buffer | string, options: JsonBodyOptions = {}): void {
  const { charset = 'utf-8', ...limits } = options;
  try {
    if (!/^utf-?8$/i.test(charset)) {
      throw new ToolSearchError('INVALID_REQUEST', 'The body is in a charset that is not read here.', {
        hint: 'Send JSON as UTF-8.',
      });
    }
    checkJsonText(body.toString(), 'The body is', { ...BODY_LIMITS, ...limits });
  } catch (error) {
    // Without `statusCode`, body parsers would answer with 403 or 500.
    throw isToolSearchError(error) ? Object.assign(error, { statusCode: statusOf(error.code) }) : error;
  }
}
