import type { Tool } from '@modelcontextprotocol/server';
import { type MetaTool, type Toolbox, type ToolDefinition, ToolSearchError } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { type CallOptions, changesNothing, type MetaKind, readCallName } from '@tool-search/core/internal';
import type { Endpoint } from '../endpoint.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { listedMetaTool, READS } from './listed-tool.js';

/**
 * The two tools of a bridge: `tool_call`, and `tool_call_read`, which calls only tools that read. A client can then always
 * allow reads, and ask its user about everything else.
 */
export interface ReadCalls {
  /** The tool that calls every tool. */
  readonly call: string;
  /** The tool that calls only tools that read. */
  readonly read: string;
}

/**
 * Refuses a name of the reading tool that a meta tool has already.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkReadCalls(metaKinds: ReadonlyMap<string, MetaKind>, { readCalls }: GatewaySettings): void {
  const { read } = bridgeOf(metaKinds) ?? {};
  if (readCalls === false || read === undefined || !metaKinds.has(read)) return;
  throw new ToolSearchError('INVALID_CONFIGURATION', `readCalls: a meta tool is named ${read} already.`, {
    hint: 'Give it, or the tool that calls, another name in exposure.metaTools.',
  });
}

/** The tools of the bridge at an endpoint that has both; undefined elsewhere. */
export function readCallsOf({ metaKinds }: Toolbox, { readCalls }: Endpoint): ReadCalls | undefined {
  return readCalls ? bridgeOf(metaKinds) : undefined;
}

function bridgeOf(metaKinds: ReadonlyMap<string, MetaKind>): ReadCalls | undefined {
  const [call] = [...metaKinds].find(([, kind]) => kind === 'call') ?? [];
  return call === undefined ? undefined : { call, read: readCallName(call) };
}

/** The reading tool in the form of MCP. @param tool the one that calls every tool */
export function listedReadCall(tool: MetaTool, { call, read }: ReadCalls): Tool {
  const description = `Like ${call}, for tools that change nothing (effects: read or pure). Refuses all others.`;
  return { ...listedMetaTool({ ...tool, name: read, description }, 'call', ''), annotations: READS };
}

/**
 * Refuses the call of a tool that may change something, once the gate has admitted it: a hidden tool stays unknown. Of the
 * meta tools it refuses the one that loads tools.
 */
export function onlyReads({ call, read }: ReadCalls): Required<Pick<CallOptions, 'refuse' | 'refuseMeta'>> {
  return {
    refuse: (tool) => (changesNothing(tool) ? undefined : refusal(tool, call, read)),
    refuseMeta: (name, kind) => (kind === 'load' ? refusal({ name }, call, read) : undefined),
  };
}

function refusal({ name }: Pick<ToolDefinition, 'name'>, call: string, read: string) {
  return failure(
    'INVALID_ARGUMENTS',
    `${name} may change something, and ${read} calls only tools that read. Nothing has happened.`,
    `Call it with ${call}.`,
  );
}
