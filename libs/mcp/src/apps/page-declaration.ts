import type { JsonValue, ToolDeclaration } from '@tool-search/core';
import { APP_PAGE_TYPE, appPageOf, isObject } from '@tool-search/core/internal';
import { itemName, NO_INPUT, roomFor, textOf, withoutSize } from '../items/item-declaration.js';
import { pageRule } from '../items/exposed-items.js';
import type { McpSourceSettings } from '../mcp-source-options.js';
import type { McpTool } from '../tools/tool-declaration.js';

/** Makes the page of a tool. @param raw what the server lists as its resource, or its `uri` alone */
export type PageReader = (raw: unknown, server?: string) => McpTool | undefined;

/** Returns the function that makes pages. */
export function pageReader(settings: McpSourceSettings): PageReader {
  const isExposed = pageRule(settings.expose);
  const room = roomFor(settings);
  return (given, server) => {
    const raw = isObject(given) ? given : {};
    const rawName = textOf(raw['uri']) ?? '';
    if (!isExposed?.(rawName)) return undefined;
    const title = textOf(raw['title']);
    const { ui } = isObject(raw['_meta']) ? raw['_meta'] : {};
    const appPage = appPageOf(ui);
    const declaration: ToolDeclaration = {
      name: itemName('resource', rawName, room),
      namespace: settings.namespace,
      kind: 'resource',
      uri: rawName,
      mimeType: APP_PAGE_TYPE,
      title,
      description: textOf(raw['description']) ?? title ?? textOf(raw['name']) ?? `The page ${rawName}.`,
      tags: settings.tags,
      sideEffects: 'read',
      inputSchema: NO_INPUT,
      extra: { name: textOf(raw['name']) ?? rawName },
      appPage,
      origin: { page: withoutSize(raw) as unknown as JsonValue, ...(server === undefined ? {} : { server }) },
    };
    return { declaration, rawName, inputSchema: NO_INPUT, fits: () => true, kind: 'resource', page: appPage };
  };
}
