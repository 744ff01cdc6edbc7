import {
  appAddress,
  appPageOf,
  audiencesOf,
  isAppAddress,
  isPageUri,
  type AppPage,
  type ToolApp,
} from '../../tool/app-metadata.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { ToolSource } from '../../tool/tool-source.js';

const NO_PAGE_URI = 'must begin with ui:// and have at most 600 printable ASCII characters';

interface CheckedApp {
  readonly app?: ToolApp;
  readonly appPage?: AppPage;
  /** The address of a page for clients. */
  readonly uri?: string;
}

/**
 * What a declaration says of MCP Apps, as far as the extension defines it. Addresses of pages are rewritten, so that no tool
 * names a page of another source, and nothing but a page has such an address.
 */
export function checkedApp(source: ToolSource, declaration: ToolDeclaration): CheckedApp | { readonly fault: string } {
  const { kind, uri = '', app, appPage } = declaration;
  if ((app ?? appPage) !== undefined && !source.exposes?.includes('apps'))
    return { fault: 'the source does not expose apps' };
  if (app && kind !== undefined) return { fault: 'app is for tools, and for nothing else' };
  if (appPage && kind !== 'resource') return { fault: 'appPage is for resources, and for nothing else' };
  if (appPage && !isPageUri(uri)) return { fault: `the URI of a page ${NO_PAGE_URI}` };
  if (!appPage && isAppAddress(uri)) return { fault: 'its URI is one that only a page can have' };
  if (appPage) return { appPage: appPageOf(appPage), uri: appAddress(source, uri) };
  if (!app) return {};
  const { resourceUri } = app;
  if (resourceUri !== undefined && !isPageUri(resourceUri)) return { fault: `app.resourceUri ${NO_PAGE_URI}` };
  const visibility = audiencesOf(app.visibility);
  const address = resourceUri === undefined ? {} : { resourceUri: appAddress(source, resourceUri) };
  return { app: { ...address, ...(visibility && { visibility }) } };
}
