import {
  appPageOf,
  audiencesOf,
  isAppAddress,
  isAppAddressOf,
  type AppPage,
  type ToolApp,
} from '../../tool/app-metadata.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { ToolSource } from '../../tool/tool-source.js';

interface CheckedApp {
  readonly app?: ToolApp;
  readonly appPage?: AppPage;
}

/**
 * What a declaration says of MCP Apps, as far as the extension defines it. Addresses of pages belong to their source: no tool
 * names a page of another source, and nothing but a page has such an address.
 */
export function checkedApp(source: ToolSource, declaration: ToolDeclaration): CheckedApp | { readonly fault: string } {
  const { kind, uri = '', app, appPage } = declaration;
  if ((app ?? appPage) !== undefined && !source.exposes?.includes('apps'))
    return { fault: 'the source does not expose apps' };
  if (app && kind !== undefined) return { fault: 'app is for tools, and for nothing else' };
  if (appPage && kind !== 'resource') return { fault: 'appPage is for resources, and for nothing else' };
  if (appPage && !isAppAddressOf(source, uri))
    return { fault: 'the URI of a page must be an appAddress of its source' };
  if (!appPage && isAppAddress(uri)) return { fault: 'its URI is one that only a page can have' };
  if (appPage) return { appPage: appPageOf(appPage) };
  if (!app) return {};
  const { resourceUri } = app;
  if (resourceUri !== undefined && !(typeof resourceUri === 'string' && isAppAddressOf(source, resourceUri))) {
    return { fault: 'app.resourceUri must be an appAddress of its source' };
  }
  const visibility = audiencesOf(app.visibility);
  return { app: { ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility }) } };
}
