import type { Server } from '@modelcontextprotocol/server';
import type { GatewayRequest } from '../gateway-request.js';
import { itemLists } from '../items/item-list.js';
import { toolList } from '../tools/tool-list.js';

/** A list of whose changes clients can be notified. */
export type ListName = 'tools' | 'resources' | 'prompts';

/** The digest of each list of a caller: equal for equal lists. */
export type ListDigests = Readonly<Record<ListName, string>>;

/** The digests as of now. */
export async function listDigests({ toolbox, endpoint }: GatewayRequest): Promise<ListDigests> {
  const [{ digest }, { digests }] = await Promise.all([toolList(toolbox, endpoint), itemLists(toolbox, endpoint)]);
  return { tools: digest, ...digests };
}

/** The lists that differ. */
export function changedLists(before: ListDigests, now: ListDigests): readonly ListName[] {
  return (Object.keys(now) as ListName[]).filter((name) => before[name] !== now[name]);
}

/** Tells the client of a server with a connection of its own. */
export const LIST_NOTICES: Readonly<Record<ListName, (server: Server) => Promise<void>>> = {
  tools: (server) => server.sendToolListChanged(),
  resources: async (server) => server.getCapabilities().resources && server.sendResourceListChanged(),
  prompts: async (server) => server.getCapabilities().prompts && server.sendPromptListChanged(),
};
