import { basename } from 'node:path';
import { ToolCatalog, type ToolDefinition, ToolSearchService } from '@tool-search/core';
import { StdioGateway } from '@tool-search/gateway';
import { DefinitionTokens, type Explanation, rightsOfOthers, type SourceStatus } from '@tool-search/core/internal';
import type { CommandOutput } from '../command.js';
import type { GatewayConfig } from '../config/read-config.js';
import { createContext, localUser } from '../serve/gateway-application.js';
import { reportText } from './report-text.js';

/** The servers and tools that a gateway would serve. */
export interface CheckReport {
  /** Whether every server answered and nothing is held back. */
  readonly ok: boolean;
  readonly config: string;
  readonly state: string;
  /** Rights that other users of this machine have on the state: a sentence for each file or folder. */
  readonly rightsOfOthers: readonly string[];
  readonly servers: readonly ServerReport[];
  /** Names of servers that are switched off. */
  readonly disabled: readonly string[];
  readonly tokens: {
    /** Tokens of the lists of all servers, for a client that connects to each. */
    readonly plain: number;
    /** Tokens of the list of the gateway. */
    readonly listed: number;
    readonly tokenizer: string;
  };
}

/** One server of a {@link CheckReport}. */
export interface ServerReport {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly state: SourceStatus['state'];
  readonly code?: string;
  readonly reason?: string;
  /** What to know of a server that has not failed, such as that it says that it has no tools. */
  readonly hint?: string;
  readonly tokens: number;
  readonly tools: readonly ToolReport[];
  /** Tools that cannot be used at all, such as those with an unusable schema. */
  /** `count` is the number of tools with this reason, if several; `name` is the first. */
  readonly refused: readonly { readonly name: string; readonly reason: string; readonly count?: number }[];
  readonly ignoredKeys: readonly string[];
}

/** One tool of a {@link ServerReport}. */
export interface ToolReport {
  readonly name: string;
  readonly tokens: number;
  readonly outcome: Explanation['outcome'];
  /** The layer that decided, for a tool that is not simply allowed. */
  readonly layer?: string;
  readonly reason?: string;
}

/** Milliseconds in which servers may start and list their tools: npx may have to install them. */
const PATIENCE_MS = 120_000;

/** Starts the servers, prints what a gateway would serve, and ends them. */
export async function check(
  { config, state, route, asJson }: { config: GatewayConfig; state: string; route: string; asJson: boolean },
  { out }: CommandOutput,
): Promise<number> {
  const app = await createContext({ config, state, bootWaitMs: PATIENCE_MS, logger: false });
  try {
    const toolbox = app.get(ToolSearchService).open(localUser(), 'bridge');
    const tokens = new DefinitionTokens();
    const catalog = app.get(ToolCatalog);
    const tools = await Promise.all(
      catalog.tools().map(async (tool) => [tool, await toolbox.explain(tool.name)] as const),
    );
    const statuses = new Map(catalog.sources().map((status) => [status.source, status]));
    const servers = config.servers.map(({ title, source, ignored }) => {
      const status = statuses.get(source.name);
      const own = tools.filter(([tool]) => tool.source === source.name);
      return {
        name: title,
        transport: 'url' in source ? ('http' as const) : ('stdio' as const),
        state: status?.state ?? 'loading',
        ...(status?.code !== undefined && { code: status.code }),
        ...(status?.reason !== undefined && { reason: status.reason }),
        ...(status?.hint !== undefined && { hint: status.hint }),
        tokens: tokens.sum(own.map(([tool]) => tool)),
        tools: own.map(([tool, explanation]) => toolReport(tool, explanation, tokens)),
        refused: (status?.refused ?? []).map(({ name, reason, count }) => ({
          name,
          reason,
          ...(count !== undefined && { count }),
        })),
        ignoredKeys: ignored,
      };
    });
    const listed = await app.get(StdioGateway).listed(localUser(), route);
    const report: CheckReport = {
      ok: servers.every(
        ({ state: health, refused, tools: own }) =>
          health === 'ready' && refused.length === 0 && own.every(({ layer }) => layer !== 'quarantine'),
      ),
      config: config.file,
      state,
      rightsOfOthers: await rightsOfOthers(state),
      servers,
      disabled: config.disabled,
      tokens: {
        plain: tokens.sum(tools.map(([tool]) => tool)),
        listed: tokens.count(JSON.stringify(listed)),
        tokenizer: tokens.tokenizer,
      },
    };
    out(asJson ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report, basename(config.file)));
    return report.ok ? 0 : 1;
  } finally {
    await app.close();
  }
}

function toolReport(tool: ToolDefinition, { outcome, layers }: Explanation, tokens: DefinitionTokens): ToolReport {
  const decided = layers.find(({ verdict }) => verdict === 'deny' || verdict === 'approve');
  return {
    name: tool.name,
    tokens: tokens.of(tool),
    outcome,
    ...(outcome !== 'allow' && decided && { layer: decided.layer, reason: decided.reason }),
  };
}
