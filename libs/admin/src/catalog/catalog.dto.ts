import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TOOL_SEARCH_ERROR_CODES, type ToolDefinition, type ToolSearchErrorCode } from '@tool-search/core';
import {
  type Decision,
  DECISIONS,
  EXPOSED_KINDS,
  ITEM_KINDS,
  LAYERS,
  LOADINGS,
  QUARANTINE_VERDICTS,
  type QuarantineVerdict,
  SIDE_EFFECTS,
  SOURCE_STATES,
  type SourceStatus,
  type ToolFinding,
} from '@tool-search/core/internal';
import { PageQuery } from '../request/page.js';
import { GivenReason, OptionalText, OptionalTextOrEmpty } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class CatalogQuery extends PageQuery {
  @OptionalText({ example: 'github', description: 'Tools of the source of this name.' }, 128) readonly source?: string;

  @OptionalText({ example: 'billing', description: 'Tools of this namespace and of those below it.' }, 128)
  readonly namespace?: string;

  @OptionalText({ example: 'billing.re', description: 'Tools whose name begins so.' }, 128) readonly q?: string;

  @OptionalText({ example: 'refund', description: 'Tools whose name, title or description contains it.' }, 128)
  readonly contains?: string;

  @OptionalText({ example: 'acme', description: 'Tools open to this tenant, and the switches that meet it.' })
  readonly tenantId?: string;
}

export class SourcesQuery extends PageQuery {
  @OptionalText({ example: 'acme', description: "Shared sources and this tenant's own." }) readonly tenantId?: string;
}

export class ReloadBody {
  @GivenReason('its server has new tools') readonly reason: string;
  @OptionalTextOrEmpty({ example: 'acme', description: 'The tenant whose own source it is. Left out: shared.' })
  readonly owner?: string;
}

export class FindingAnswer implements Every<FindingAnswer, ToolFinding> {
  @ApiProperty({ example: 'concealment' }) readonly code: string;
  @ApiProperty({ example: 'description asks to hide something from the user' }) readonly reason: string;
}

/** A decision of the gate, without what only a call can tell. */
export class DecisionAnswer implements Every<DecisionAnswer, Pick<Decision, 'outcome' | 'layer' | 'rule' | 'reason'>> {
  @ApiProperty({ enum: DECISIONS }) readonly outcome: Decision['outcome'];
  @ApiProperty({ enum: [...LAYERS], enumName: 'DecidingLayer', description: 'For allow the last one of the gate.' })
  readonly layer: Decision['layer'];
  @ApiProperty({ example: 'deny:billing.refund_*' }) readonly rule: string;
  @ApiProperty({ example: 'the policy denies billing.refund_*' }) readonly reason: string;
}

export class CatalogTool implements Every<
  CatalogTool,
  Pick<
    ToolDefinition,
    | 'name'
    | 'kind'
    | 'uri'
    | 'title'
    | 'source'
    | 'owner'
    | 'namespace'
    | 'tags'
    | 'sideEffects'
    | 'loading'
    | 'hash'
    | 'suspicion'
    | 'finding'
  >
> {
  @ApiProperty({ example: 'billing.refund_invoice' }) readonly name: string;
  @ApiPropertyOptional({
    enum: ITEM_KINDS,
    description: 'What a context item is; absent for a tool.',
  })
  readonly kind?: ToolDefinition['kind'];
  @ApiPropertyOptional({ description: 'The URI of a resource, or the URI template.' }) readonly uri?: string;
  @ApiPropertyOptional() readonly title?: string;
  @ApiProperty({ example: 'app' }) readonly source: string;
  @ApiProperty({ example: '', description: 'The tenant whose own it is; empty: shared.' }) readonly owner: string;
  @ApiProperty({ example: 'billing' }) readonly namespace: string;
  @ApiProperty({ type: [String], example: ['billing', 'money'] }) readonly tags: readonly string[];
  @ApiProperty({ enum: SIDE_EFFECTS, enumName: 'SideEffects' })
  readonly sideEffects: ToolDefinition['sideEffects'];
  @ApiProperty({ enum: LOADINGS, enumName: 'Loading' }) readonly loading: ToolDefinition['loading'];
  @ApiProperty({ description: 'SHA-256 of the definition.' }) readonly hash: string;
  @ApiPropertyOptional({ description: 'Why it is in quarantine until an operator approves it.' })
  readonly suspicion?: string;
  @ApiPropertyOptional({
    type: () => FindingAnswer,
    description: 'The finding that an operator should review; the tool is usable.',
  })
  readonly finding?: FindingAnswer;
  @ApiPropertyOptional({ enum: QUARANTINE_VERDICTS, description: 'What an operator said of this definition.' })
  readonly verdict?: QuarantineVerdict['verdict'];
  @ApiPropertyOptional({ description: 'The kill switch that keeps it off.', example: 'ks_3f1c0a9d2b7e4f5a6c8d9e01' })
  readonly killedBy?: string;
  @ApiPropertyOptional({
    description:
      'What holds for every caller of the tenant, or of all tenants where none is named, before visibility policies, agents ' +
      'and arguments are looked at; left out while the gate is closed.',
  })
  readonly decision?: DecisionAnswer;
}

export class RefusedTool implements Every<RefusedTool, Omit<SourceStatus['refused'][number], 'source'>> {
  @ApiProperty() readonly name: string;
  @ApiProperty({ enum: [...TOOL_SEARCH_ERROR_CODES], enumName: 'ToolSearchErrorCode' })
  readonly code: ToolSearchErrorCode;
  @ApiProperty() readonly reason: string;
  @ApiPropertyOptional({ description: 'How many tools have this reason, if several; name is the first.' })
  readonly count?: number;
}

export class AmendedTool implements Every<AmendedTool, SourceStatus['amended'][number]> {
  @ApiProperty() readonly name: string;
  @ApiProperty({ description: 'What was changed, or left out.' }) readonly reason: string;
  @ApiPropertyOptional({ description: 'How many tools have this reason, if several; name is the first.' })
  readonly count?: number;
}

export class ReportedAnswer extends FindingAnswer implements Every<ReportedAnswer, SourceStatus['reported'][number]> {
  @ApiProperty() readonly name: string;
}

export class SourceAnswer implements Every<SourceAnswer, Omit<SourceStatus, 'refused' | 'amended' | 'reported'>> {
  @ApiProperty({ example: 'github' }) readonly source: string;
  @ApiProperty({ example: '', description: 'The tenant whose own it is; empty: shared.' }) readonly owner: string;
  @ApiProperty({ enum: SOURCE_STATES }) readonly state: SourceStatus['state'];
  @ApiProperty({ example: 1206, description: 'How many tools and context items it has.' }) readonly tools: number;
  @ApiProperty({
    enum: EXPOSED_KINDS,
    isArray: true,
    description:
      'The kinds of context items that it may have; logging if its tools log for their callers, apps if they may have pages.',
  })
  readonly exposes: SourceStatus['exposes'];
  @ApiProperty({ example: 0, description: 'How many of its tools were refused.' }) readonly refusedCount: number;
  @ApiProperty({ example: 0, description: 'How many of its tools are in quarantine.' }) readonly held: number;
  @ApiProperty({ example: 0, description: 'How many of its tools are reported, and not decided on.' })
  readonly reportedCount: number;
  @ApiProperty({ type: [ReportedAnswer], description: 'The first 50 of them.' })
  readonly reported: readonly ReportedAnswer[];
  @ApiProperty({ type: [RefusedTool], description: 'The first 50 of them.' }) readonly refused: readonly RefusedTool[];
  @ApiProperty({ example: 0, description: 'How many changes were made to take tools up.' })
  readonly amendedCount: number;
  @ApiProperty({ type: [AmendedTool], description: 'The first 50 of them.' }) readonly amended: readonly AmendedTool[];
  @ApiPropertyOptional({ enum: [...TOOL_SEARCH_ERROR_CODES], enumName: 'ToolSearchErrorCode' })
  readonly code?: ToolSearchErrorCode;
  @ApiPropertyOptional({ description: 'What its last failure was.' }) readonly reason?: string;
  @ApiPropertyOptional({ description: 'What to know of its last load although nothing failed.' })
  readonly hint?: string;
  @ApiPropertyOptional({
    description: 'Epoch milliseconds until which it is not loaded for changes: it changes too much.',
  })
  readonly throttledUntil?: number;
  @ApiPropertyOptional({ description: 'Epoch milliseconds of the last good load.' }) readonly loadedAt?: number;
}
