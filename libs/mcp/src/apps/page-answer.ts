import type { JsonObject, SourceAnswer } from '@tool-search/core';
import { APP_PAGE_TYPE, appPageOf, isObject } from '@tool-search/core/internal';
import type { AppPage } from '@tool-search/core/source';
import { resourceBlock } from '../tools/content-blocks.js';
import { UnusableResult } from '../tools/unusable-result.js';

/**
 * The content of a page in one block, and what the server says of it: in `structured`, as `_meta.ui`.
 *
 * @param uri the server's own address, of which the content must be
 * @param listed what the server's list says of the page
 * @throws UnusableResult if no part is a page
 */
export function pageAnswer(
  { contents }: Readonly<Record<string, unknown>>,
  uri: string,
  listed: AppPage,
): SourceAnswer {
  const parts: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const page = parts.find((part) => isObject(part) && (part['uri'] ?? uri) === uri && isPage(part['mimeType']));
  if (!isObject(page)) throw new UnusableResult(`has no page of the type ${APP_PAGE_TYPE}`);
  const block = resourceBlock(page, uri);
  if (typeof block === 'string') throw new UnusableResult(`has ${block}`);
  const { ui } = isObject(page['_meta']) ? page['_meta'] : {};
  return {
    content: [{ type: 'resource', resource: { ...block.resource, uri, mimeType: APP_PAGE_TYPE } }],
    // What the content says counts before what the list says.
    structured: { ui: (isObject(ui) ? appPageOf(ui) : listed) as JsonObject },
  };
}

/** Parameters of a type may come after a blank. */
function isPage(mimeType: unknown): boolean {
  return typeof mimeType === 'string' && mimeType.replace(/;\s+/, ';').toLowerCase() === APP_PAGE_TYPE;
}
