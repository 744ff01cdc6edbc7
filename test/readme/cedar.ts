import { Injectable } from '@nestjs/common';
import { isAuthorized, type CedarValueJson, type EntityJson } from '@cedar-policy/cedar-wasm/nodejs';
import {
  type CallPolicyAnswer,
  type PolicyCall,
  Tool,
  ToolCallPolicy,
  type ToolContext,
  type ToolDefinition,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { z } from 'zod';
import { POLICIES } from './policies.js';

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

  @Tool({ description: 'Rate a customer.', input: z.object({ stars: z.number().nullable() }), sideEffects: 'read' })
  rate({ stars }: { readonly stars: number | null }) {
    return `${stars} stars`;
  }

  @Tool({ description: 'Find an invoice.', input: z.object({ by: z.looseObject({}) }), sideEffects: 'read' })
  find({ by }: { readonly by: object }) {
    return `found by ${Object.keys(by).join(', ')}`;
  }
}

// #region cedar
@Injectable()
export class Cedar {
  /** The policies that forbid an action, or undefined if it is permitted. */
  refusal(action: string, tool: ToolDefinition, context: ToolContext, given: object = {}): string | undefined {
    // In Cedar's JSON these are references to entities and function calls, which a model must not write.
    if (/"__(?:entity|extn|expr)":/.test(JSON.stringify(given))) throw new Error('arguments with a name of Cedar');
    const { tenantId, userId = '', roles = [] } = context;
    const principal = { type: 'User', id: JSON.stringify([tenantId, userId]) };
    const resource = { type: 'Tool', id: tool.name };
    const entities: EntityJson[] = [
      { uid: principal, attrs: { tenant: tenantId, roles: [...roles] }, parents: [] },
      { uid: resource, attrs: { tags: [...tool.tags], sideEffects: tool.sideEffects }, parents: [] },
    ];
    const answer = isAuthorized({
      principal,
      action: { type: 'Action', id: action },
      resource,
      context: { arguments: given as CedarValueJson },
      policies: { staticPolicies: POLICIES },
      entities,
    });
    if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '));
    const { decision, diagnostics } = answer.response;
    // Cedar leaves out a policy that fails, also one that forbids: an answer with errors allows nothing.
    if (diagnostics.errors.length > 0) throw new Error(diagnostics.errors.map(({ error }) => error.message).join('; '));
    return decision === 'allow' ? undefined : diagnostics.reason.join(', ') || 'no policy permits it';
  }
}

@VisibilityPolicy()
export class CedarVisibility implements ToolVisibilityPolicy {
  constructor(private readonly cedar: Cedar) {}

  filter(tools: readonly ToolDefinition[], context: ToolContext) {
    return tools.filter((tool) => this.cedar.refusal('see', tool, context) === undefined);
  }

  cacheKey({ tenantId, userId, roles = [] }: ToolContext) {
    return JSON.stringify([tenantId, userId, roles]);
  }
}

@ToolCallPolicy()
export class CedarCalls implements ToolCallPolicy {
  constructor(private readonly cedar: Cedar) {}

  decide({ tool, arguments: given, context }: PolicyCall): CallPolicyAnswer {
    const refused = this.cedar.refusal('call', tool, context, given);
    if (refused !== undefined) return { outcome: 'deny', reason: refused, message: 'Our policies forbid this call.' };
    const asking = this.cedar.refusal('call_alone', tool, context, given);
    return asking === undefined ? { outcome: 'allow' } : { outcome: 'approve', reason: asking };
  }
}
// #endregion cedar
