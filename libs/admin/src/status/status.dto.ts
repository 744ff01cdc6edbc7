import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CONTROL_STATES, type ControlHealth, type SourceLoad } from '@tool-search/core/internal';
import type { OperatorAccess } from '../access/operator-access.js';
import { InstanceAnswer } from '../kill-switches/kill-switches.dto.js';
import { OptionalText } from '../request/validation.decorators.js';
import type { Every } from '../request/every.js';

export class StatusQuery {
  @OptionalText({
    example: 'acme',
    description: 'Counts what is open to this tenant, its own switches and its own sources; names no instances.',
  })
  readonly tenantId?: string;
}

/** Response of `GET me`. */
export class MeAnswer implements OperatorAccess {
  @ApiProperty({ example: 'olga@ops', description: 'The name in the audit trail.' }) readonly actor: string;
  @ApiProperty({
    oneOf: [
      { type: 'string', enum: ['all'] },
      { type: 'array', items: { type: 'string' } },
    ],
    description: 'Whom they may see and decide for.',
  })
  readonly tenants: OperatorAccess['tenants'];
  @ApiProperty({ description: 'Whether they may only look.', example: false }) readonly readOnly: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Fields of a caller beside its ids, and the values that the application offers for them.',
    example: { roles: ['finance', 'support'], plan: ['starter', 'business'] },
  })
  readonly callerFields: Readonly<Record<string, readonly string[]>>;
}

export class StatusCounts {
  @ApiProperty({ example: 1286 }) readonly tools: number;
  @ApiProperty({ example: 7 }) readonly sources: number;
  @ApiProperty({ description: 'Sources that are not ready.', example: 1 }) readonly sourcesNotReady: number;
  @ApiProperty({
    description: 'Live ones; with tenantId its own, and each for everybody that keeps a tool of this tenant off.',
    example: 2,
  })
  readonly killSwitches: number;
  @ApiProperty({ description: 'Usable tools that an inspector suspects, not decided on.', example: 0 })
  readonly reported: number;
  @ApiProperty({ description: 'Tools that are held back.', example: 0 }) readonly quarantined: number;
}

export class SourceQueueAnswer implements Every<SourceQueueAnswer, SourceLoad> {
  @ApiProperty({ example: 'github' }) readonly source: string;
  @ApiProperty({ description: 'The tenant that owns the source; empty: shared.', example: '' }) readonly owner: string;
  @ApiProperty({ description: 'Calls that may run at the same time.', example: 4 }) readonly limit: number;
  @ApiProperty({ example: 4 }) readonly running: number;
  @ApiProperty({ example: 12 }) readonly waiting: number;
}

/** Response of `GET status`. Also available while the store is down. */
export class StatusAnswer implements Every<StatusAnswer, Omit<ControlHealth, 'ageMs'>> {
  @ApiProperty({ enum: CONTROL_STATES, description: 'closed: every tool is refused.' })
  readonly state: ControlHealth['state'];
  @ApiProperty({ description: 'The control revision by which this instance decides; -1: none yet.', example: 12 })
  readonly revision: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Milliseconds since the state was proven fresh; null: never.',
    example: 340,
  })
  readonly ageMs: number | null;
  @ApiProperty({ description: 'Whether the last write to the store succeeded.', example: true })
  readonly writable: boolean;
  @ApiPropertyOptional({ description: 'Why the gate closed at once: the store is lost.' })
  readonly reason?: string;
  @ApiProperty({ example: '1d7f5f0e-3c55-4d0c-9d0f-3f8f6a2b1c00' }) readonly instanceId: string;
  @ApiPropertyOptional({ type: [InstanceAnswer], description: 'Live instances; left out when the store is down.' })
  readonly instances?: readonly InstanceAnswer[];
  @ApiProperty() readonly counts: StatusCounts;
  @ApiProperty({
    type: [SourceQueueAnswer],
    description: 'Sources with a limit that this instance calls now, those with most waiting calls first, at most 100.',
  })
  readonly queues: readonly SourceQueueAnswer[];
}
