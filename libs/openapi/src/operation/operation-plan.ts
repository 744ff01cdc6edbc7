/** How a query parameter's array or object is serialized; `json` is for parameters described by `content`. */
export type QueryStyle = 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

/** An argument of the tool and its name in the request. */
export interface PlannedArgument {
  readonly argument: string;
  readonly name: string;
}

export interface PlannedQuery extends PlannedArgument {
  readonly style: QueryStyle;
  readonly explode: boolean;
}

/** The request body: one argument as a whole, or an object built from several arguments. */
export interface PlannedBody {
  /** Sent as `Content-Type`. */
  readonly mediaType: string;
  readonly encoding: 'json' | 'form' | 'text';
  readonly required: boolean;
  readonly from: PlannedArgument | readonly PlannedArgument[];
}

/** How a security scheme's credential is sent; `unsupported` if it cannot be sent. */
export interface PlannedCredential {
  /** Name of the security scheme, as in the `auth` option. */
  readonly scheme: string;
  readonly kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie' | 'unsupported';
  /** Name of the header, query parameter or cookie. */
  readonly name: string;
}

/** Everything that a call needs to know about an operation. */
export interface OperationPlan {
  readonly method: string;
  /** Absolute, without a trailing slash; `''` if the operator's function returns it at the call. */
  readonly baseUrl: string;
  /** Whether the operator's headers and credentials may be sent there; they never leave the source's own origin. */
  readonly trusted: boolean;
  /** The segments of the path; each consists of literal text, already encoded, and of arguments. */
  readonly segments: readonly (readonly (string | PlannedArgument)[])[];
  readonly query: readonly PlannedQuery[];
  readonly headers: readonly PlannedArgument[];
  readonly body?: PlannedBody;
  /** Alternative lists of credentials; an empty list means that no credentials are needed. */
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
 * Whether arguments must never set this header, because it carries credentials, controls the connection, identifies the
 * client, or changes which resource is requested.
 */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower) || MANAGED.has(lower) || /^(proxy-|sec-|x-forwarded-)/.test(lower);
}

/**
 * As {@link isForbiddenHeader}, but for a header that carries an operator's credential, which may be `Authorization`.
 */
export function isConnectionHeader(name: string): boolean {
  return isForbiddenHeader(name) && !/^authorization$/i.test(name);
}
