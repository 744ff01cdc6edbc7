import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { GATEWAY_TENANTS, GATEWAY_TOOLS, tenantOfArea } from './gateway.app.js';

/** The results of many simultaneous clients. */
export interface CrowdResult {
  readonly errors: number;
  /** Answers that name a tool of another tenant. */
  readonly leaks: number;
}

/**
 * Connects clients of all tenants at once, half of them in the older protocol era. Each lists, searches, calls a tool of
 * its own and one of another tenant, and leaves, every fourth without a word.
 */
export async function crowd(url: string, clients: number): Promise<CrowdResult> {
  const results = await Promise.all(Array.from({ length: clients }, (_, index) => visit(url, index)));
  return {
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
    leaks: results.reduce((sum, { leaks }) => sum + leaks, 0),
  };
}

async function visit(url: string, index: number): Promise<CrowdResult> {
  const tenant = index % GATEWAY_TENANTS;
  const isLegacy = index % 2 === 0;
  const client = new Client(
    { name: 'crowd', version: '1.0.0' },
    { versionNegotiation: { mode: isLegacy ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer tenant${tenant}.user${index}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  const toolOf = (owner: number) => `area${owner}.task_${owner}`;
  try {
    await client.connect(transport);
    const answers = [
      await client.listTools(),
      await client.callTool({ name: 'tool_search', arguments: { query: `task of area ${tenant}` } }),
      await client.callTool({ name: 'tool_call', arguments: { name: toolOf(tenant) } }),
    ];
    const foreign = await client.callTool({
      name: 'tool_call',
      arguments: { name: toolOf((tenant + 1) % GATEWAY_TENANTS) },
    });
    const isWrong = answers.some((answer) => 'isError' in answer && answer.isError) || foreign.isError !== true;
    const answerText = JSON.stringify([...answers, foreign]);
    const areas = [...answerText.matchAll(/\barea(\d+)(?:\.|__)task/g)].map(([, area]) => Number(area));
    if (isLegacy && index % 4 === 0) await transport.terminateSession();
    await client.close();
    return { errors: isWrong ? 1 : 0, leaks: areas.filter((area) => tenantOfArea(area) !== tenant).length };
  } catch (error) {
    process.stderr.write(
      `client ${index} of ${GATEWAY_TOOLS} tools: ${String(error)} ${error instanceof Error ? String((error.cause as Error | undefined)?.message ?? '') : ''}\n`,
    );
    await client.close().catch(() => undefined);
    return { errors: 1, leaks: 0 };
  }
}
