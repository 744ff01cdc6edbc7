import { ToolSearchError } from '@tool-search/core';
import type { GatewaySettings, ToolGatewayRoutes } from '../tool-gateway.options.js';

type Routes = Pick<ToolGatewayRoutes, 'path' | 'guards' | 'anonymous'>;

/**
 * Refuses a gateway that would serve callers without knowing who they are, and options that would protect nothing.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkAuthentication(
  { path, guards, anonymous = false }: Routes,
  { oauth, tokens, tokensInProduction, profiles }: GatewaySettings,
): void {
  const hasTokens = oauth !== undefined || tokens.length > 0;
  if (path !== undefined && guards === undefined && !anonymous && !hasTokens) {
    throw wrong(
      'ToolGatewayModule.forRoot({ path }) needs guards.',
      'Name the guards that authenticate callers; [] if global guards do; or set oauth, tokens, or anonymous: true.',
    );
  }
  if (anonymous && hasTokens) {
    throw wrong(
      'ToolGatewayModule: anonymous callers have no tokens, so it cannot be set with oauth or tokens.',
      'Leave anonymous out.',
    );
  }
  if (tokens.length > 0 && !tokensInProduction && process.env['NODE_ENV'] === 'production') {
    throw wrong(
      'ToolGatewayModule: tokens are for local use and refused where NODE_ENV is "production".',
      'Use oauth or guards; or set tokensInProduction: true if these tokens are kept as secrets.',
    );
  }
  const scoped = Object.keys(profiles).find((name) => profiles[name]?.scopes.length !== 0);
  if (oauth === undefined && scoped !== undefined) {
    throw wrong(
      `ToolGatewayModule: profiles.${scoped}.scopes needs oauth: other callers have no scopes.`,
      'Set oauth, or leave the scopes out and let a guard decide.',
    );
  }
}

function wrong(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}
