import { isObject } from '../json/json.js';

/** The extension of MCP that these types are of, as clients and servers announce it. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** The type of every page. */
export const APP_PAGE_TYPE = 'text/html;profile=mcp-app';

/** Who a server offers a tool to: the model, the pages of the server, or both. */
export type AppAudience = (typeof AUDIENCES)[number];

const AUDIENCES = ['model', 'app'] as const;
const DOMAIN_LISTS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
const PERMISSIONS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
const MAX_DOMAINS = 50;
const MAX_DOMAIN = 255;
// An encrypted origin, or all subdomains of a name with at least two labels. Nothing that could end a directive.
const ORIGIN = /^(?:https|wss):\/\/(?:\*\.(?=[^.]+\.))?(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}(?::\d{1,5})?$/i;

/** What MCP Apps defines in `_meta.ui` of a tool: `McpUiToolMeta` of `@modelcontextprotocol/ext-apps`. */
export interface ToolApp {
  /** The address of the page that shows the tool's results: in a declaration the server's own one, `ui://…`. @default it has none */
  readonly resourceUri?: string;
  /** @default both */
  readonly visibility?: readonly AppAudience[];
}

/** What MCP Apps defines in `_meta.ui` of a page: `McpUiResourceMeta` of `@modelcontextprotocol/ext-apps`, without `domain`. */
export interface AppPage {
  /** Origins that the page may reach: `https:` and `wss:`, at most 50 in each list. @default none */
  readonly csp?: Partial<Readonly<Record<(typeof DOMAIN_LISTS)[number], readonly string[]>>>;
  /** What the page asks the browser for. @default nothing */
  readonly permissions?: Partial<Readonly<Record<(typeof PERMISSIONS)[number], object>>>;
  /** Whether a border is drawn around it. @default the host decides */
  readonly prefersBorder?: boolean;
}

const PREFIX = 'ui://tool-search';
/** Characters of a page's own address: its rewritten form has at most three times as many, and what stands before. */
const MAX_URI = 600;
/** Of what a server says that it needs no more than a sign for. */
const PAGE_URI = /^ui:\/\/[\x21-\x7e]+$/;

/** Whether this can be a server's own address of a page. */
export function isPageUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.length <= MAX_URI && PAGE_URI.test(uri);
}

/** The source of a page. */
interface PageSource {
  readonly name: string;
  readonly owner?: string;
}

/**
 * The address under which clients know a source's page: equal for equal addresses of the server alone, and never that of another
 * source.
 *
 * @param uri the server's own address, well-formed Unicode
 */
export function appAddress(source: PageSource, uri: string): string {
  return `${appPrefix(source)}${encodeURIComponent(uri)}`;
}

/** How the addresses of a source's pages begin. A tenant's source may have the name of a shared one. */
function appPrefix({ name, owner = '' }: PageSource): string {
  // To a URL parser, a segment of dots alone would be another folder: hence the tilde, and a sign that no encoded name has.
  const folder = name === '.' || name === '..' ? `=${name}` : encodeURIComponent(name);
  return `${PREFIX}${owner === '' ? '' : '.own'}/${folder}/~`;
}

/** Whether a URI begins as only addresses of pages do, in any case, as it is written or as a URL parser reads it. */
export function isAppAddress(uri: string): boolean {
  return beginsAsAddress(uri) || (URL.canParse(uri) && beginsAsAddress(new URL(uri).href));
}

function beginsAsAddress(uri: string): boolean {
  return uri.slice(0, PREFIX.length).toLowerCase() === PREFIX && /^(?:\.own)?\//i.test(uri.slice(PREFIX.length));
}

/** Whether a definition is for pages and the hosts that show them, so that no model may see it. */
export function isForApps({ app, appPage }: { readonly app?: ToolApp; readonly appPage?: AppPage }): boolean {
  return appPage !== undefined || app?.visibility?.includes('model') === false;
}

/** The known audiences of a list, each once; undefined for anything but a list. */
export function audiencesOf(given: unknown): readonly AppAudience[] | undefined {
  return Array.isArray(given) ? AUDIENCES.filter((each) => given.includes(each)) : undefined;
}

/** What a page may say of itself: the members that the extension defines, as far as they are valid. The others are left out. */
export function appPageOf(given: unknown): AppPage {
  const { csp, permissions, prefersBorder } = isObject(given) ? given : {};
  const domains = isObject(csp) ? definedIn(csp, DOMAIN_LISTS, originsOf) : {};
  const asked = isObject(permissions) ? definedIn(permissions, PERMISSIONS, (each) => isObject(each) && {}) : {};
  return {
    ...(Object.keys(domains).length > 0 && { csp: domains }),
    ...(Object.keys(asked).length > 0 && { permissions: asked }),
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
  };
}

function originsOf(given: unknown): readonly string[] | false {
  if (!Array.isArray(given)) return false;
  const isOrigin = (each: unknown) => typeof each === 'string' && each.length <= MAX_DOMAIN && ORIGIN.test(each);
  const origins = given.slice(0, MAX_DOMAINS).filter(isOrigin);
  return origins.length > 0 && origins;
}

/** The members of an object under known names that can be read. */
function definedIn<K extends string, T>(
  given: Readonly<Record<string, unknown>>,
  names: readonly K[],
  read: (value: unknown) => T | false,
): Partial<Record<K, T>> {
  const members = names.flatMap((name) => {
    const value = read(given[name]);
    return value === false ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members) as Partial<Record<K, T>>;
}
