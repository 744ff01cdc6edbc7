import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';

const HEADER = 'x-tool-search-console';

/**
 * For applications that sign operators in with a cookie: refuses every request that changes or computes something unless
 * it carries a bearer token or the header `X-Tool-Search-Console`, which the console sends and a form of another site
 * cannot. Name it before the guard that reads the cookie:
 *
 * ```ts
 * ToolAdminModule.forRoot({ path: 'admin/tools', guards: [ConsoleForgeryGuard, SessionGuard] })
 * ```
 */
@Injectable()
export class ConsoleForgeryGuard implements CanActivate {
  /** @throws ToolSearchError `FORBIDDEN` */
  canActivate(execution: ExecutionContext): boolean {
    const { method, headers } = execution
      .switchToHttp()
      .getRequest<{ method: string; headers: Readonly<Record<string, unknown>> }>();
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
    // Browsers send credentials of HTTP Basic to forms of other sites, but no bearer token.
    if (/^bearer /i.test(String(headers['authorization'])) || headers[HEADER] !== undefined) return true;
    throw new ToolSearchError('FORBIDDEN', 'This request may have been sent by another site.', {
      hint: `Nothing was done. Send the header ${HEADER} with any value.`,
    });
  }
}
