import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type CallPolicyAnswer, type PolicyCall, Tool, ToolCallPolicy } from '@tool-search/core';
import { z } from 'zod';

/** The tools of the example. */
@Injectable()
export class BillingTools {
  @Tool({
    description: 'Refund an invoice.',
    input: z.object({ invoice: z.string(), cents: z.int() }),
    tags: ['money'],
  })
  refund({ invoice, cents }: { readonly invoice: string; readonly cents: number }) {
    return `refunded ${cents} of ${invoice}`;
  }
}

// #region authzen
/** Where the decision point is, and the token that it knows this application by. */
export interface DecisionPoint {
  readonly url: string;
  readonly token: string;
}

export const DECISION_POINT = Symbol('DECISION_POINT');

const Answer = z.object({
  decision: z.boolean(),
  context: z
    .object({
      reason_admin: z.record(z.string(), z.string()).optional(),
      reason_user: z.record(z.string(), z.string()).optional(),
      // No part of AuthZEN: what this application and its decision point have agreed on.
      approval: z.boolean().optional(),
    })
    .optional(),
});

@ToolCallPolicy({ tools: ['billing.*'] })
export class AuthZenPolicy implements ToolCallPolicy {
  constructor(@Inject(DECISION_POINT) private readonly point: DecisionPoint) {}

  async decide({ tool, arguments: given, context, signal }: PolicyCall): Promise<CallPolicyAnswer> {
    const { tenantId, userId, agentId, roles = [] } = context;
    const response = await fetch(new URL('/access/v1/evaluation', this.point.url), {
      method: 'POST',
      redirect: 'error',
      signal, // ends the request when the time of the policy is over
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.point.token}`,
        'x-request-id': randomUUID(),
      },
      body: JSON.stringify({
        subject: { type: 'user', id: userId ?? 'anonymous', properties: { tenant: tenantId, roles } },
        action: { name: 'call' },
        resource: {
          type: 'tool',
          id: tool.name,
          properties: { source: tool.source, tags: tool.tags, side_effects: tool.sideEffects },
        },
        context: { arguments: given, ...(agentId !== undefined && { agent: agentId }) },
      }),
    });
    if (response.status !== 200) throw new Error(`the decision point answered with status ${response.status}`);
    const { decision, context: details } = Answer.parse(JSON.parse(await bounded(response)));
    if (decision) return { outcome: 'allow' };
    const reason = details?.reason_admin?.['en'] ?? 'the decision point denies it';
    if (details?.approval) return { outcome: 'approve', reason };
    const message = details?.reason_user?.['en'];
    return { outcome: 'deny', reason, ...(message !== undefined && { message }) };
  }
}

const MAX_BYTES = 65_536;

async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the decision point answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
// #endregion authzen
