/** How a query parameter's array or object is written; `json` is for parameters described by `content`. */
export type QueryStyle = 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** An argument of the tool and the name under which it travels. */
export interface PlannedArgument {
  readonly argument: string;
  readonly name: string;
}

/** A query parameter. */
export interface PlannedQuery extends PlannedArgument {
  readonly style: QueryStyle;
  readonly explode: boolean;
}

/** The request body: either one argument as a whole, or an object made of several. */
export interface PlannedBody {
  /** Sent as `Content-Type`. */
  readonly mediaType: string;
  readonly encoding: 'json' | 'form' | 'text';
  readonly required: boolean;
  readonly from: PlannedArgument | readonly PlannedArgument[];
}

/** How one security scheme's credential travels; `unsupported` is what can not be sent. */
export interface PlannedCredential {
  /** Name of the scheme, as in the `auth` option. */
  readonly scheme: string;
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie' | 'unsupported';
  /** Of the header, query parameter or cookie. */
  readonly name: string;
}

/** Everything a call needs to know about an operation; all that is kept of the document once it is loaded. */
export interface OperationPlan {
  readonly method: string;
  /** Absolute, without a slash at its end; `''` where only the operator's function knows it. */
  readonly baseUrl: string;
  /** Whether the operator's headers may travel there; they never leave the source's own origin. */
  readonly trusted: boolean;
  /** The path's segments; each is made of literal text, already encoded, and of arguments. */
  readonly segments: readonly (readonly (string | PlannedArgument)[])[];
  readonly query: readonly PlannedQuery[];
  readonly headers: readonly PlannedArgument[];
  readonly body?: PlannedBody;
  /** One of these lists of credentials is needed; an empty list stands for a call without any. */
  readonly security: readonly (readonly PlannedCredential[])[];
}

const MANAGED = new Set(
  (
    'accept accept-charset accept-encoding authorization connection content-encoding content-length content-type cookie ' +
    'cookie2 date dnt expect forwarded host http2-settings keep-alive origin referer set-cookie te trailer ' +
    'transfer-encoding upgrade via x-http-method x-http-method-override x-method-override x-original-url x-real-ip x-rewrite-url'
  ).split(' '),
);

/**
 * Whether an argument may never set this header: it carries credentials, steers the connection, tells where a request
 * comes from, or changes what is requested.
 */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower) || MANAGED.has(lower) || /^(proxy-|sec-|x-forwarded-)/.test(lower);
}

/** As {@link isForbiddenHeader}, for the name of a header that carries a credential of the operator's: that may be `Authorization`. */
export function isConnectionHeader(name: string): boolean {
  return isForbiddenHeader(name) && !/^authorization$/i.test(name);
}
