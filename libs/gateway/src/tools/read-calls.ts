import type { Tool } from '@modelcontextprotocol/server';
import type { MetaTool, Toolbox, ToolDefinition } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { type CallOptions, isReadTool, readCallName } from '@tool-search/core/internal';
import type { Endpoint } from '../endpoint.js';
import { listedMetaTool } from './listed-tool.js';

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

/** The tools of the bridge at an endpoint that has both; undefined elsewhere. */
export function readCallsOf({ metaKinds }: Toolbox, { readCalls }: Endpoint): ReadCalls | undefined {
  if (!readCalls) return undefined;
  const [call] = [...metaKinds].find(([, kind]) => kind === 'call') ?? [];
  return call === undefined ? undefined : { call, read: readCallName(call) };
}

/** The reading tool in the form of MCP. @param tool the one that calls every tool */
export function listedReadCall(tool: MetaTool, { call, read }: ReadCalls): Tool {
  const description = `Like ${call}, for tools that change nothing (effects: read or pure). Refuses all others.`;
  return listedMetaTool({ ...tool, name: read, description }, 'get', '');
}

/** Refuses the call of a tool that may change something, once the gate has admitted it: a hidden tool stays unknown. */
export function onlyReads({ call, read }: ReadCalls, then: NonNullable<CallOptions['confirm']>): typeof then {
  return async (tool, input) => (isReadTool(tool) ? then(tool, input) : refusal(tool, call, read));
}

function refusal({ name }: ToolDefinition, call: string, read: string) {
  return failure(
    'INVALID_ARGUMENTS',
    `${name} may change something, and ${read} calls only tools that read. Nothing has happened.`,
    `Call it with ${call}.`,
  );
}
