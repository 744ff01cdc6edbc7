import { isObject, type ItemKind } from '@tool-search/core/internal';
import type { AppPage } from '@tool-search/core/source';
import type { ItemRequest } from '../connection/connection-requests.js';

/** The request for a context item. @param rawName URI, template or name */
export function itemRequest(kind: ItemKind, rawName: string, input: unknown, page?: AppPage): ItemRequest {
  const given = isObject(input) ? input : {};
  if (kind === 'prompt') {
    return { method: 'prompts/get', params: { name: rawName, arguments: given as Record<string, string> } };
  }
  // The URI of a template's expansion was checked against the template, and against the resources of the server.
  const uri = kind === 'resource' ? rawName : given['uri'];
  return { method: 'resources/read', params: { uri: typeof uri === 'string' ? uri : rawName }, page };
}
