import type { Tool } from '@modelcontextprotocol/server';
import { hash } from 'node:crypto';
import type { Toolbox } from '@tool-search/core';
import type { Endpoint } from '../endpoint.js';
import { listedMetaTool, listedTool } from './listed-tool.js';
import { listedReadCall, readCallsOf } from './read-calls.js';
import { toolKinds } from './tool-kinds.js';
import { toolNames } from './tool-names.js';
import { listedWithSearch } from './tool-references.js';

/** A caller's list at an endpoint. */
export interface ToolList {
  /** By name, so that equal sets of tools give equal bytes. */
  readonly tools: readonly Tool[];
  /** Equal for equal lists. */
  readonly digest: string;
}

/** The list as of now. */
export async function toolList(toolbox: Toolbox, endpoint: Endpoint): Promise<ToolList> {
  const { prefix, references } = endpoint;
  // A list that depends only on the URL, the caller's rights and what its client announces, not on what was called before.
  const surface =
    references === undefined ? await toolbox.surface({ listsResultTool: true }) : await listedWithSearch(toolbox);
  const visible = await toolbox.visible();
  const kinds = surface.meta.length === 0 ? '' : toolKinds(visible).short;
  const names = toolNames(visible, prefix, toolbox.metaKinds);
  const readCalls = readCallsOf(toolbox, endpoint);
  const meta = surface.meta.flatMap((tool) => [
    listedMetaTool(tool, toolbox.metaKinds.get(tool.name) ?? '', kinds),
    ...(readCalls?.call === tool.name ? [listedReadCall(tool, readCalls)] : []),
  ]);
  const listed = surface.tools.map((tool) =>
    listedTool(
      tool,
      names.shown.get(tool.name) ?? tool.name,
      toolbox.outputSchemaOf(tool.definition),
      toolbox.opensApps,
    ),
  );
  const tools = [...meta, ...listed].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const digest = hash(
    'sha256',
    JSON.stringify([meta, surface.tools.map(({ name, definition }) => [names.shown.get(name), definition.hash])]),
  );
  return { tools, digest };
}
