/**
 * How a value is written: the styles of OpenAPI 3.2, `tabDelimited` for Swagger 2, and `json` and `text` for what
 * `content` describes.
 */
export type WireStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'cookie'
  | 'json'
  | 'text';

/** An argument of the tool and its name in the request. */
export interface PlannedArgument {
  readonly argument: string;
  readonly name: string;
}

/** How the value of a parameter or of a form's field is written. */
export interface WireForm {
  readonly style: WireStyle;
  /** Whether items of a list and members of an object are written separately. */
  readonly explode: boolean;
  /** Whether reserved characters of URLs are not encoded, except those that separate parameters. */
  readonly allowReserved?: boolean;
}

export interface PlannedParameter extends PlannedArgument, WireForm {}

/** An argument in the path or in a header. Stored ones of earlier versions have no form: `simple`. */
export interface PlannedText extends PlannedArgument, Partial<WireForm> {}

/** How one field of a form is sent, where the document says so. */
export interface PlannedField extends Partial<WireForm> {
  /** The part's `Content-Type`, in a multipart body. */
  readonly mediaType?: string;
}

/** The request body: one argument as a whole, or an object built from several arguments. */
export interface PlannedBody {
  /** Sent as `Content-Type`; a multipart body adds its boundary. */
  readonly mediaType: string;
  readonly encoding: 'json' | 'form' | 'multipart' | 'text';
  readonly required: boolean;
  readonly from: PlannedArgument | readonly PlannedArgument[];
  /** Fields of a form that the document describes, by name on the wire. */
  readonly fields?: Readonly<Record<string, PlannedField>>;
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
  readonly segments: readonly (readonly (string | PlannedText)[])[];
  readonly query: readonly PlannedParameter[];
  /** The whole query, as one argument. */
  readonly querystring?: PlannedBody;
  readonly headers: readonly PlannedText[];
  readonly cookies?: readonly PlannedParameter[];
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
