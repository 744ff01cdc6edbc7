import type { ToolSearchErrorCode } from '@tool-search/core';

/** A request that is answered with a JSON-RPC error before it reaches a server of the SDK. */
export class RpcRefusal extends Error {
  constructor(
    readonly status: number,
    readonly rpcCode: number,
    message: string,
    readonly code?: ToolSearchErrorCode,
    readonly hint?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** @param id of the request, if it could be read */
  response(id: unknown = null): Response {
    const { rpcCode, message, code, hint, status, headers } = this;
    const data = code === undefined ? undefined : { code, ...(hint !== undefined && { hint }) };
    const isId = typeof id === 'string' || typeof id === 'number';
    return Response.json(
      { jsonrpc: '2.0', error: { code: rpcCode, message, ...(data && { data }) }, id: isId ? id : null },
      { status, headers },
    );
  }
}
