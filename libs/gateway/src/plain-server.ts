import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { isObject, parsedJson, type ToolTracing } from '@tool-search/core/internal';
import { spelledOut } from './tools/tool-references.js';

const MAX_FAULTS = 3;
const MAX_CHARS = 200;

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * A server of the SDK that says in words what is wrong with the parameters of a request, in place of its validator's
 * output, and that answers each request in the trace which it names.
 */
export class PlainServer extends Server {
  constructor(
    info: Implementation,
    options: ServerOptions,
    private readonly tracing?: ToolTracing,
  ) {
    super(info, options);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const inner = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const answer = () => inner(request, context);
        return spelledOut(await (this.tracing ? inTrace(this.tracing, context, answer) : answer()));
      } catch (error) {
        throw plainError(method, error);
      }
    };
  }
}

function inTrace<T>(tracing: ToolTracing, { mcpReq, http }: ServerContext, work: () => T): T {
  const meta: Readonly<Record<string, unknown>> = mcpReq._meta ?? {};
  const headers = http?.req?.headers;
  return tracing.continued(
    (name) => meta[name],
    (name) => headers?.get(name) ?? undefined,
    work,
  );
}

/** An error in words, if its text holds the output of a validator; otherwise the error itself. */
function plainError(method: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const start = error.message.search(/\[\s*\{/);
  const issues = start < 0 ? undefined : parsedJson(error.message.slice(start));
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return error;
  const faults = issues.slice(0, MAX_FAULTS).map(faultOf).join('; ');
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The parameters of ${method} are not valid: ${faults}.`);
}

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

function isIssue(value: unknown): value is Issue {
  return isObject(value) && Array.isArray(value['path']) && typeof value['message'] === 'string';
}

function faultOf({ path, message }: Issue): string {
  const name = path.filter((part) => part !== 'params').join('.');
  const fault = message.replace(/^Invalid input: /, '');
  return (name === '' ? fault : `${name}: ${fault}`).slice(0, MAX_CHARS);
}
