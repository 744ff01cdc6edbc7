import { isIP } from 'node:net';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import type { NextFunction, Request, Response } from 'express';
import { type Environment, environment } from '../settings/environment.js';

/**
 * While demo tokens are accepted, which are published, serves no host name but localhost: a web page could point a name
 * of its own to this machine (DNS rebinding) and send them. It cannot do so with an address.
 */
@Injectable()
export class OwnHostMiddleware implements NestMiddleware {
  constructor(@Inject(environment.KEY) private readonly env: Environment) {}

  /** @throws ToolSearchError `FORBIDDEN` */
  use({ headers: { host } }: Request, _response: Response, next: NextFunction): void {
    if (this.env.DEMO_TOKENS === undefined || host === undefined || isOwnHost(host)) return next();
    throw new ToolSearchError('FORBIDDEN', 'While DEMO_TOKENS is set, this host name is not served.', {
      hint: 'Send requests to localhost or an address, or use tokens of your own.',
    });
  }
}

/** Whether a Host header is localhost, one of its subdomains, or an address. */
export function isOwnHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return /^([a-z\d-]+\.)*localhost$/.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
